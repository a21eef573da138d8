/** One request as bytes, what must come back, and the sentence of the contract or the RFC that says so. */

export const token = 'secret-token-of-the-tests'

export interface Row {
  readonly name: string
  /** The bytes of the request. Latin-1 where it is a text. */
  readonly request: string | Buffer
  readonly status: number
  /** `error` of the answer; absent where it is a plant. */
  readonly error?: number
  readonly why: string
  /** The plant that comes back, where the status is 200. */
  readonly plant?: object
  /** What is stored then. */
  readonly id?: bigint
  /** Headers of the answer that must match. */
  readonly headers?: Readonly<Record<string, RegExp>>
  /** What the message must say. */
  readonly message?: RegExp
  /** How the connection must be left. */
  readonly ending?: 'open' | 'closed'
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const defaults: Headers = {
  Host: 'localhost',
  Authorization: `Bearer ${token}`,
  'Content-Type': 'application/json'
}

/** A head with the usual headers; undefined takes one away, a list sends several lines. */
export function head(first: string, headers: Headers = {}): string {
  const lines = Object.entries({ ...defaults, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}\r\n`)
  )
  return `${first} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** POST /plants with a body of declared length. */
export function post(body: string | Buffer, headers: Headers = {}): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([
    Buffer.from(head('POST /plants', { 'Content-Length': String(bytes.length), ...headers }), 'latin1'),
    bytes
  ])
}

/** POST /plants with a body in chunks. */
export function chunked(chunks: readonly (string | Buffer)[], headers: Headers = {}): Buffer {
  const parts = chunks.flatMap((chunk) => {
    const bytes = Buffer.from(chunk)
    return [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]
  })
  const start = head('POST /plants', { 'Transfer-Encoding': 'chunked', ...headers })
  return Buffer.concat([Buffer.from(start, 'latin1'), ...parts, Buffer.from('0\r\n\r\n')])
}

let lastId = 1_000_000n

/** A request that is right but for what the row is about: its own id, and the answer that it wants if it is right. */
export function fresh(): { id: bigint; body: string; plant: object } {
  lastId += 1n
  const plant = { name: `plant ${lastId}` }
  return { id: lastId, body: `{"id":${lastId},"name":"${plant.name}"}`, plant }
}
