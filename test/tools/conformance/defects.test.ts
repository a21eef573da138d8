/** Servers with one defect each: the right check finds it on the right operation, and the `curl` line shows it again. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { type Check, checkConformance, checks, type Finding } from '../../../src/compiler/conformance.ts'
import { compiledShop } from './compiled-shop.ts'
import { replay } from './replay.ts'
import { key, token } from './shop.ts'
import { listening, plainServer } from './shop-server.ts'

t.setTimeout(900_000)
const { contract, model } = await compiledShop()

type Row = readonly [check: Check, operation: string, defects: readonly string[]]

const rows: readonly Row[] = [
  [
    'invalid-request-accepted',
    'POST /items',
    [
      'id is optional',
      'id may be beyond int64',
      'name may be null',
      'name may be of any type',
      'name may be too long',
      'kind may be anything',
      'code may be anything',
      'count may be a fraction',
      'count may be beyond int32',
      'tags may be equal',
      'size may hold more',
      'malformed JSON is accepted'
    ]
  ],
  [
    'invalid-request-accepted',
    'GET /items',
    ['kind in the query may be anything', 'the header may be anything']
  ],
  ['invalid-request-accepted', 'GET /items/{itemId}', ['the id in the path may be anything']],
  [
    'invalid-request-accepted',
    'PUT /items/{itemId}/price',
    ['a required parameter is optional', 'an exclusive bound is inclusive']
  ],
  ['invalid-request-accepted', 'POST /notes', ['long notes are accepted', 'a field may be anything']],
  [
    'valid-request-refused',
    'POST /items',
    ['undeclared properties are refused', '2^53 is refused', 'null is refused']
  ],
  ['valid-request-refused', 'DELETE /items/{itemId}', ['an alternative is forgotten']],
  [
    'server-error',
    'POST /items',
    ['emoji crash', 'U+0000 crashes', 'deep values crash', 'a missing body crashes']
  ],
  ['server-error', 'GET /items/{itemId}', ['a wrong id in the path crashes']],
  ['server-error', 'GET /status', ['every request crashes']],
  ['time-out', 'GET /status', ['an operation hangs', 'an answer never ends']],
  ['connection', 'GET /status', ['an operation closes the connection']],
  ['missing-credentials-accepted', 'GET /items', ['no credentials are asked for']],
  ['missing-credentials-accepted', 'DELETE /items/{itemId}', ['DELETE asks for no credentials']],
  ['missing-credentials-accepted', 'PUT /items/{itemId}/price', ['one of two credentials is enough']],
  ['wrong-credentials-accepted', 'GET /items', ['every token is accepted']],
  ['unauthorized-status', 'GET /items', ['no credentials are malformed']],
  ['undeclared-method', 'PATCH /items', ['undeclared method is answered']],
  ['undeclared-method', 'PUT /items', ['undeclared method is 404', 'allow leaves a method out']],
  ['undeclared-status', 'POST /items', ['the status is undeclared', '403 is undeclared']],
  ['undeclared-status', 'DELETE /items/{itemId}', ['delete answers 200']],
  ['response-media-type', 'GET /items', ['the media type is undeclared']],
  ['response-header', 'GET /items', ['a required header is missing']],
  ['response-header', 'POST /items', ['a header does not match']],
  [
    'response-body',
    'POST /items',
    ['the answer lacks a property', 'the answer is empty', 'refusals have another shape']
  ],
  ['response-body', 'GET /items', ['a list is an object']],
  ['response-body', 'GET /status', ['a date is not a date']],
  ['response-body', 'POST /notes', ['the text does not match']],
  ['response-body', 'GET /items/{itemId}', ['the id of the path comes back rounded']],
  ['value-changed', 'POST /items', ['int64 is rounded', 'a text is cut']],
  ['created-not-found', 'GET /items/{itemId}', ['what is created is lost']]
]

/**
 * Recognises defects without an end of the answer: they need a short time-out, which would be too short for others on a
 * busy machine.
 */
const isSilent = (defect: string) => /hangs|never ends/.test(defect)

/** Returns what is checked: the path of a method that is not declared, and what creates the resource of a path. */
function selected(operation: string): readonly string[] {
  const [, path = ''] = operation.split(' ')
  const isDeclared = contract.operations.some((each) => `${each.method} ${each.path}` === operation)
  return [isDeclared ? operation : path, ...(path.startsWith('/items/') ? ['POST /items'] : [])]
}

async function found(
  defect: string,
  operation: string,
  check: (findings: readonly Finding[]) => Promise<void>
): Promise<void> {
  const { url, close } = await listening(plainServer(defect))
  try {
    const options = {
      contract,
      model,
      // A server that is silent from the first request must answer elsewhere, otherwise no server counts as found.
      only: isSilent(defect) ? [] : selected(operation),
      url,
      token,
      headers: { 'X-Key': key },
      requests: 0,
      timeoutMs: isSilent(defect) ? 300 : 30_000
    }
    await check((await checkConformance(options)).report.findings)
  } finally {
    close()
  }
}

t.test('docs/conformance.md lists the checks, and a defect shows each', async (t) => {
  const page = readFileSync('docs/conformance.md', 'utf8')
  const [, table = ''] = /\| check \| finds \|\n\|---\|---\|\n(.*?)\n\n/s.exec(page) ?? []
  t.strictSame(
    [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name),
    [...checks]
  )
  t.strictSame([...new Set(rows.map(([check]) => check))].sort(), [...checks].sort())
})

t.test('there are more than forty defects, each once', async (t) => {
  const defects = rows.flatMap(([, , names]) => names)
  t.ok(defects.length > 40)
  t.equal(new Set(defects).size, defects.length)
})

for (const [check, operation, defects] of rows)
  for (const defect of defects)
    t.test(`${check} at ${operation}: ${defect}`, (t) =>
      found(defect, operation, async (findings) => {
        const [finding] = findings.filter((each) => each.check === check && each.operation === operation)
        t.ok(finding, JSON.stringify(findings.map((each) => `${each.check} ${each.operation}`)))
        if (finding === undefined) return
        t.ok(finding.message.startsWith(`${operation} `), finding.message)
        const messages = findings.map(({ message }) => message)
        t.equal(new Set(messages).size, messages.length, 'each finding is listed once')
        t.equal(await replay(finding.curl), finding.response?.status ?? null, finding.curl)
      })
    )

const shell = async (line: string) =>
  (await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, TOKEN: token } })).stdout

t.test('curl itself gets the answer of the finding, where it is installed', (t) =>
  found('name may be too long', 'POST /items', async ([finding]) => {
    const line = String(finding?.curl)
    t.match(line, /^curl /)
    const isInstalled = (await shell('command -v curl || true')) !== ''
    t.match(isInstalled ? await shell(line) : `HTTP/1.1 ${await replay(line)} `, /^HTTP\/1\.1 201 /)
  })
)
