/** A request as bytes, the expected response, and the section of the contract or of an RFC that requires it. */

export const token = 'secret-token-of-the-tests'

export interface Row {
  readonly name: string
  /** Request as bytes, or as a string in Latin-1. */
  readonly request: string | Buffer
  readonly why: string
  /** Expected `error` of the body, which is its status times ten plus a digit; absent for a plant. */
  readonly error?: number
  /** Expected plant of a response with status 200, and id under which it is stored. */
  readonly plant?: object
  readonly id?: bigint
  /** Expected headers of the response, beside those of its number. */
  readonly headers?: Readonly<Record<string, RegExp>>
  readonly message?: RegExp
  /** Expected state of the connection after the response. */
  readonly ending?: 'open' | 'closed'
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const defaults: Headers = {
  Host: 'localhost',
  Authorization: `Bearer ${token}`,
  'Content-Type': 'application/json'
}

/** Returns a request head with the default headers; undefined removes one, a list sends several lines. */
export function head(first: string, headers: Headers = {}): string {
  const lines = Object.entries({ ...defaults, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}\r\n`)
  )
  return `${first} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Returns a POST /plants with Content-Length. */
export function post(body: string | Buffer, headers: Headers = {}): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([
    Buffer.from(head('POST /plants', { 'Content-Length': String(bytes.length), ...headers }), 'latin1'),
    bytes
  ])
}

/** Returns a POST /plants with a chunked body. */
export function chunked(chunks: readonly (string | Buffer)[], headers: Headers = {}): Buffer {
  const parts = chunks.flatMap((chunk) => {
    const bytes = Buffer.from(chunk)
    return [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]
  })
  const start = head('POST /plants', { 'Transfer-Encoding': 'chunked', ...headers })
  return Buffer.concat([Buffer.from(start, 'latin1'), ...parts, Buffer.from('0\r\n\r\n')])
}

let lastId = 1_000_000n

/** Returns a body that the service accepts, with a new id, and the plant of its response. */
export function fresh(): { id: bigint; body: string; plant: object } {
  lastId += 1n
  const plant = { name: `plant ${lastId}` }
  return { id: lastId, body: `{"id":${lastId},"name":"${plant.name}"}`, plant }
}

/** Returns a row with a new plant, which the service stores. */
export function accepted(name: string, why: string, request: (body: string) => string | Buffer): Row {
  const { id, body, plant } = fresh()
  return { name, request: request(body), plant, id, why }
}

export function refused(
  error: number,
  name: string,
  request: string | Buffer,
  why: string,
  more: Pick<Row, 'headers' | 'message' | 'ending'> = {}
): Row {
  return { name, request, error, why, ...more }
}
