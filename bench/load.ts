/**
 * The load generator, in a process of its own: autocannon, with a different id in every request. Usage: node
 * bench/load.ts JSON-of-Load. Writes one line of JSON, a LoadResult, to stdout.
 */
import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  readonly token: string
  readonly connections: number
  readonly seconds: number
  /** Pipelined requests on each connection; with many, the load does not wait for responses. */
  readonly pipelining?: number
  /**
   * Order of the ids: `rising` from a random start; `scattered` over the whole range, so that every create uses another
   * page.
   */
  readonly ids?: 'rising' | 'scattered'
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Lost and refused connections, and time-outs. */
  readonly errors: number
  /** Requests without a response within 10 seconds. */
  readonly timeouts: number
}

/** The request buffer of autocannon, which its types leave out. */
interface Requesting {
  readonly requestIterator: { readonly currentRequest: { readonly requestBuffer: Buffer } }
}

const {
  url,
  token,
  connections,
  seconds,
  pipelining = 1,
  ids = 'rising'
}: Load = JSON.parse(process.argv[2] ?? '')
/** Smallest id: all ids have as many digits, so that one can overwrite another. */
const minId = 1e15
let next = randomId()
const body = `{"id":${minId},"name":"Monstera deliciosa","tag":"climber"}`
const fromEnd = body.length - body.indexOf(String(minId))

function randomId(): number {
  return minId + Math.floor(Math.random() * 8 * minId)
}

/** Writes the next id in place: building every request would make the generator slower than its target. */
function renew(request: Buffer): void {
  const id = ids === 'rising' ? next++ : randomId()
  request.write(String(id), request.length - fromEnd, 'latin1')
}

const result = await autocannon({
  url,
  connections,
  pipelining,
  duration: seconds,
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body,
  setupClient(client) {
    const { requestBuffer } = (client as unknown as Requesting).requestIterator.currentRequest
    renew(requestBuffer)
    client.on('response', () => renew(requestBuffer))
  }
})

const statuses = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count])
const measured: LoadResult = {
  requests: result.requests.total,
  seconds: result.duration,
  statuses: Object.fromEntries(statuses),
  errors: result.errors,
  timeouts: result.timeouts
}
console.log(JSON.stringify(measured))
