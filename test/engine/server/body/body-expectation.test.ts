import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import t from 'tap'
import type { Operation } from '../../../../src/engine/model/compiled-contract.ts'
import type { BodyKind } from '../../../../src/engine/model/media-type.ts'
import { bodyExpectation } from '../../../../src/engine/server/body/receive.ts'
import { failureOf } from '../../failure-of.ts'

type Headers = Readonly<Record<string, string>>

function operation(required: boolean, contents: Readonly<Record<string, BodyKind>>): Operation {
  const content = Object.entries(contents).map(([mediaType, kind]) => ({ mediaType, kind }))
  return {
    operationId: 'o',
    method: 'POST',
    path: '/',
    url: '/',
    security: [],
    parameters: [],
    responses: {},
    requestBody: { required, content }
  }
}

function incoming(headers: Headers): IncomingMessage {
  const rawHeaders = Object.entries(headers).flat()
  return Object.assign(new IncomingMessage(new Socket()), { headers, rawHeaders })
}

const contents = { 'application/json': 'json', 'text/plain': 'text', 'application/*': 'binary' } as const
const sent = (type: string, more: Headers = {}): Headers => ({
  'content-type': type,
  'content-length': '5',
  ...more
})

t.test('the headers decide of which declared content a body is, and how it is read', async (t) => {
  const expect = bodyExpectation(operation(false, contents), 10)
  const rows: [headers: Headers, mediaType: string | undefined, kind: string | undefined][] = [
    [{}, undefined, undefined],
    [{ 'content-length': '0', 'content-type': 'application/json' }, undefined, undefined],
    [sent('application/json'), 'application/json', 'json'],
    [sent('Application/JSON; charset=UTF-8'), 'application/json', 'json'],
    [sent('application/merge-patch+json'), 'application/*', 'json'],
    [sent('application/pdf'), 'application/*', 'binary'],
    [{ 'content-type': 'text/plain', 'transfer-encoding': 'chunked' }, 'text/plain', 'text'],
    [sent('text/plain', { 'content-encoding': 'Identity' }), 'text/plain', 'text'],
    [sent('text/plain', { 'content-length': '10' }), 'text/plain', 'text']
  ]
  for (const [headers, mediaType, kind] of rows) {
    const body = expect(incoming(headers))
    t.same([body?.content.mediaType, body?.kind], [mediaType, kind], JSON.stringify(headers))
  }
  t.equal(expect(incoming(sent('text/plain'))), expect(incoming(sent('text/plain'))), 'and is cached')
})

t.test('without declared media types, a refusal names none', async (t) => {
  const expect = bodyExpectation(operation(true, {}), 10)
  const refusal = (headers: Headers) => failureOf(() => expect(incoming(headers)))
  t.match(refusal({}), { status: 400, message: 'a body is required' })
  const refused = refusal(sent('text/csv'))
  t.match(refused, { status: 415, message: /^media type text\/csv is not supported$/ })
  t.same(refused?.headers, {})
})

t.test('a body that cannot be read is refused by its headers', async (t) => {
  const expect = bodyExpectation(operation(true, contents), 10)
  const rows: [headers: Headers, status: number, message: RegExp][] = [
    [{}, 400, /^a body is required: application\/json, text\/plain/],
    [{ 'content-length': '5' }, 415, /^the body has no media type/],
    [sent('nonsense'), 415, /is not well-formed/],
    [sent('application/xml'), 415, /^media type application\/xml is not supported/],
    [sent(`text/${'x'.repeat(100)}`), 415, /^media type text\/x{75}… is not supported/],
    [sent('text/plain; charset=latin1'), 415, /^the only supported charset is UTF-8/],
    [sent('text/plain', { 'Content-Type': 'text/plain' }), 415, /more than one media type/],
    [sent('text/plain', { 'content-encoding': 'gzip' }), 415, /no content coding/],
    [sent('text/plain', { 'content-length': '11' }), 413, /larger than 10 bytes/]
  ]
  for (const [headers, status, message] of rows)
    t.match(
      failureOf(() => expect(incoming(headers))),
      { status, message },
      JSON.stringify(headers)
    )
})
