/**
 * Mocks every contract of test/contracts/: each operation answers a declared status with valid headers and a valid body; and
 * the request that the mock shows, of the operation that is easiest to call, and with credentials that it accepts.
 */

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { compileInMemory, type InMemory } from '../../../src/compiler/compiler.ts'
import { parseExactJson } from '../../../src/engine/json/parse.ts'
import {
  type CompiledCode,
  declaredResponse,
  type Operation
} from '../../../src/engine/model/compiled-contract.ts'
import { templateLiterals } from '../../../src/engine/model/parameter.ts'
import { normalizePath, pathMatcher } from '../../../src/engine/server/parameters/request-path.ts'
import { exampleText } from '../../../src/service/curl.ts'
import { createMock, Listener } from '../../../src/tools/mock/mock.ts'
import { contractFiles } from '../../contracts/contract-files.ts'
import { type Exchange, exchangesOf } from '../../contracts/exchanges.ts'
import { mocked } from './mocked.ts'

t.setTimeout(900_000)

const seeds = [1, 2]

for (const [name, path] of contractFiles()) {
  t.test(name, async (t) => {
    const compiled = await compileInMemory(resolve(import.meta.dirname, '../../contracts', path))
    const code = await compiled.contract.load()
    const valid = exchangesOf(name).filter(({ want }) => want < 400)
    const bodies: string[][] = []
    for (const seed of seeds) bodies.push(await answersOf(t, compiled, { seed, code, exchanges: valid }))
    t.strictSame(
      await answersOf(t, compiled, { seed: 1, code, exchanges: valid }),
      bodies[0],
      'equal by seed'
    )
  })
}

interface Plan {
  readonly seed: number
  readonly code: CompiledCode
  readonly exchanges: readonly Exchange[]
}

/** @returns the answers as text */
async function answersOf(t: Test, compiled: InMemory, { seed, code, exchanges }: Plan): Promise<string[]> {
  const { app, basePath } = await createMock(compiled, { seed })
  const listener = await Listener.open(app, { host: '127.0.0.1', port: 0 })
  const reached = new Set<string>()
  const found: string[] = []
  for (const exchange of exchanges) {
    const operation = operationOf(exchange.send, compiled)
    if (operation === undefined) continue
    const response = await send(listener.address.port, exchange, basePath)
    const body = await buffer(response)
    const problem = problemOf(response, body, operation, code)
    t.equal(problem, undefined, `${JSON.stringify(exchange.send)}, seed ${seed}`, { body: body.toString() })
    reached.add(operation.operationId)
    found.push(`${response.statusCode} ${body}`)
  }
  await listener.close()
  const all = compiled.contract.operations.filter(isAnswerable).map(({ operationId }) => operationId)
  t.strictSame(
    all.filter((id) => !reached.has(id)),
    [],
    'every operation'
  )
  return found
}

/** Returns whether the operation declares a final response. */
const isAnswerable = ({ responses }: Operation): boolean =>
  Object.keys(responses).some((status) => !status.startsWith('1'))

function operationOf(line: string, { contract }: InMemory): Operation | undefined {
  const [method = '', target = ''] = line.split(' ')
  const path = normalizePath(String(target.split('?')[0]))
  const fitting = contract.operations.filter(
    (each) => each.method === method && pathMatcher(each.path)(path) !== undefined
  )
  // The path with the most literal text comes first.
  return fitting.toSorted((a, b) => literalLength(b) - literalLength(a))[0]
}

const literalLength = ({ path }: Operation): number => templateLiterals(path).join('').length

function problemOf(
  { statusCode = 0, headers }: IncomingMessage,
  body: Buffer,
  operation: Operation,
  { validators }: CompiledCode
): string | undefined {
  const response = declaredResponse(operation, statusCode)
  if (response === undefined || statusCode >= 500) return `status ${statusCode} is not declared`
  for (const { name, required } of response.headers)
    if (required && headers[name] === undefined) return `header ${name} is missing`
  const type = String(headers['content-type'])
  const content = response.content.find(({ mediaType }) => type.startsWith(mediaType)) ?? response.content[0]
  if (content === undefined || operation.method === 'HEAD' || statusCode === 204)
    return body.length === 0 ? undefined : 'a body is not declared'
  const validate = validators[String(content.validate)]
  // mock/streams.test.ts checks the items of sequences.
  if (!type.includes('json') || content.items !== undefined) return undefined
  const { value } = parseExactJson(body.toString())
  if (validate?.(value) === false) return JSON.stringify(validate.errors)
  return undefined
}

async function send(
  port: number,
  { send: line, headers = {}, body }: Exchange,
  basePath: string
): Promise<IncomingMessage> {
  const space = line.indexOf(' ')
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const payload = body === undefined || isRaw ? body : JSON.stringify(body)
  const type = body === undefined || isRaw ? {} : { 'content-type': 'application/json' }
  const length = payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }
  const path = basePath + line.slice(space + 1)
  const outgoing = request({
    host: '127.0.0.1',
    port,
    method: line.slice(0, space),
    path,
    headers: { ...type, ...length, ...headers },
    agent: false
  })
  outgoing.end(payload)
  const [response] = await once(outgoing, 'response')
  return response
}

const responses = { 204: { description: 'x' } }
const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' },
  oauth: { type: 'openIdConnect', openIdConnectUrl: 'https://x.example' },
  key: { type: 'apiKey', in: 'query', name: 'key' },
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  mutual: { type: 'mutualTLS' }
}

t.test('the easiest operation is chosen', async (t) => {
  const requestBody = { required: true, content: { 'application/json': { schema: { const: 1 } } } }
  const parameters = [{ name: 'a', in: 'query', required: true, schema: { const: 1 } }]
  const { contract } = await mocked(t, {
    paths: {
      '/a': { post: { operationId: 'a', requestBody, responses } },
      '/b': { get: { operationId: 'b', parameters, responses } },
      '/c': { post: { operationId: 'c', requestBody, responses }, get: { operationId: 'd', responses } }
    }
  })
  t.match(contract.example, { operationId: 'd', summary: 'd', target: '/c' })
})

for (const names of [...Object.keys(securitySchemes).map((name) => [name]), ['header', 'session', 'mutual']])
  t.test(`the request with credentials of ${names.join(', ')} is accepted`, async (t) => {
    const security = [Object.fromEntries(names.map((name) => [name, []]))]
    const { contract, listener } = await mocked(t, {
      paths: { '/a': { get: { operationId: 'a', security, responses } } },
      components: { securitySchemes }
    })
    const url = `http://127.0.0.1:${listener.address.port}`
    const line = exampleText(contract, { url, token: 'mock' }).trim().split('\n').at(-1)
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -s -o /dev/null -w '%{http_code}'`])
    t.equal(stdout, '204', String(line))
  })
