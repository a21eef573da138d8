/**
 * Requests to the contracts of this folder, with the expected responses. The files in exchanges/ list them by contract; of
 * further tags `!n` is a bigint, `!bytes` a Buffer of Latin-1, `!hex` one of hexadecimal digits, `!set` a Set, `!none`
 * undefined, and `!parts` a text of parts of a form with the boundary x.
 */
import { globSync, readFileSync } from 'node:fs'
import { CORE_SCHEMA, defineScalarTag, defineSequenceTag, load } from 'js-yaml'

/** One request to a contract in this folder, and the expected response. */
export interface Exchange {
  /** Method and path: `GET /things/7`. */
  readonly send: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Body of the request: a string or bytes are sent as they are, other values as JSON. */
  readonly body?: unknown
  /** Return value of the handler; `{ status: 204 }` by default. */
  readonly answer?: {
    readonly status: number
    readonly body?: unknown
    readonly headers?: Record<string, unknown>
  }
  /** Expected status of the response. */
  readonly want: number
  /** Expected arguments of the handler, by member; `operation` is its operationId. */
  readonly seen?: Readonly<Record<string, unknown>>
  /** Expected part of the message of a failure. */
  readonly message?: string
  /** Expected code and message of a failure: `mismatch: body is not allowed`. */
  readonly refusal?: string
  /** Expected pointers and keywords of the problems of a failure, in any order: `/id type`. */
  readonly problems?: readonly string[]
  /** Expected body of the response, as text or as JSON. */
  readonly got?: unknown
  /** Expected headers of the response. */
  readonly gotHeaders?: Readonly<Record<string, string | undefined>>
}

/** Rows that share members. */
export interface Group {
  readonly with: Partial<Exchange>
  readonly rows: readonly Partial<Exchange>[]
}

const identify = () => false
const asText = (parts: string[]) =>
  `${parts.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--x--\r\n`

const schema = CORE_SCHEMA.withTags(
  defineScalarTag('!n', { identify, resolve: BigInt }),
  defineScalarTag('!bytes', { identify, resolve: (text) => Buffer.from(text, 'latin1') }),
  defineScalarTag('!hex', { identify, resolve: (digits) => Buffer.from(digits, 'hex') }),
  defineScalarTag('!none', { identify, resolve: () => undefined }),
  defineSequenceTag('!parts', {
    ...{ identify, create: (): string[] => [], finalize: asText },
    addItem: (parts, part) => void parts.push(String(part))
  }),
  defineSequenceTag('!set', { identify, create: () => new Set(), addItem: (set, item) => void set.add(item) })
)

/** Reads a file of YAML with the tags of exchanges. */
export const read = (path: string): unknown => load(readFileSync(path, 'utf8'), { schema })

/** Exchanges and groups of them by contract. */
const listed: Record<string, (Exchange | Group)[]> = {}
for (const file of globSync('exchanges/*.yaml', { cwd: import.meta.dirname }))
  Object.assign(listed, read(`${import.meta.dirname}/${file}`))

const deep = (levels: number): string => `${'{"id":1,"children":['.repeat(levels)}${']}'.repeat(levels)}`
const tree = { send: 'POST /trees', headers: { 'content-type': 'application/json' } }
const fields = Array.from({ length: 1001 }, (_, index) => `a${index}=`).join('&')

/** A body of this length, or a form with a file of this length. */
function sized([send, type, length, want]: (typeof sizes)[number]): Exchange {
  const text = 'x'.repeat(length)
  const bodies = {
    'text/plain': text,
    'application/octet-stream': text,
    'application/json': `"${text.slice(2)}"`,
    'multipart/form-data; boundary=x': asText([`name=a\r\n\r\n${text}`])
  }
  const message = want === 413 ? { message: 'the body is larger than' } : {}
  return { send, headers: { 'content-type': type }, body: bodies[type], want, ...message }
}

/** Bodies at the limits, and a byte beyond them. */
const sizes = [
  ['POST /small', 'text/plain', 10, 204],
  ['POST /small', 'text/plain', 11, 413],
  ['POST /small', 'application/json', 20, 204],
  ['POST /small', 'application/json', 21, 413],
  ['POST /small', 'application/octet-stream', 20, 204],
  ['POST /small', 'application/octet-stream', 21, 413],
  ['POST /small', 'multipart/form-data; boundary=x', 20, 204],
  ['POST /small', 'multipart/form-data; boundary=x', 200, 413],
  ['POST /large', 'text/plain', 2_000_000, 204],
  ['POST /large', 'text/plain', 2_000_001, 413],
  ['POST /large', 'multipart/form-data; boundary=x', 1_500_000, 204],
  ['POST /large', 'multipart/form-data; boundary=x', 2_000_000, 413],
  ['POST /plain', 'text/plain', 1_048_576, 204],
  ['POST /plain', 'text/plain', 1_048_577, 413]
] as const

const further: Readonly<Record<string, () => Exchange[]>> = {
  uploads: () => sizes.map(sized),
  recursive: () => [
    { ...tree, body: deep(500), answer: { status: 200, body: { id: 1n } }, want: 200 },
    { ...tree, body: deep(40_000), want: 400, message: 'nested too deeply' }
  ],
  querystring: () => [{ send: `GET /rides?${fields}`, want: 400, message: 'query has more than 1000 fields' }]
}

const members = new Set([
  ...[
    'send',
    'headers',
    'body',
    'answer',
    'want',
    'seen',
    'message',
    'refusal',
    'problems',
    'got',
    'gotHeaders'
  ]
])

/** @param contract name of its root file, without its end */
export const exchangesOf = (contract: string): Exchange[] => [
  ...flat(contract, listed[contract] ?? []),
  ...(further[contract]?.() ?? [])
]

/** Returns all rows with the members that they share. */
export function flat(contract: string, rows: readonly (Exchange | Group)[]): Exchange[] {
  const exchanges = rows.flatMap((each) =>
    'rows' in each ? each.rows.map((row) => ({ ...each.with, ...row }) as Exchange) : [each]
  )
  const unknown = exchanges.flatMap((each) => Object.keys(each)).find((member) => !members.has(member))
  if (unknown !== undefined) throw new Error(`exchanges of ${contract}: ${unknown}`)
  return exchanges
}
