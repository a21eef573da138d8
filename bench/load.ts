/**
 * The load generator, in a process of its own: autocannon, with another id in every request.
 * Usage: node bench/load.ts JSON-of-Load. Writes one line of JSON, a LoadResult, to stdout.
 */
import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  readonly token: string
  readonly connections: number
  readonly seconds: number
  /** Requests under way on each connection; with many, the load does not wait for answers. */
  readonly pipelining?: number
  /** `rising`, from anywhere on; or `scattered` over the whole range, where every create meets another page. */
  readonly ids?: 'rising' | 'scattered'
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  /** By status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Connections that were lost or refused, and time-outs. */
  readonly errors: number
  /** Requests without an answer within 10 seconds. */
  readonly timeouts: number
}

/** Where autocannon keeps what it sends; its types do not say. */
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
/** Ids have this many digits, so that one can be written over another. */
const smallest = 1e15
let next = anywhere()
const body = `{"id":${smallest},"name":"Monstera deliciosa","tag":"climber"}`
const fromEnd = body.length - body.indexOf(String(smallest))

function anywhere(): number {
  return smallest + Math.floor(Math.random() * 8 * smallest)
}

/** In place: building every request anew would make the generator slower than what it measures. */
function renew(request: Buffer): void {
  const id = ids === 'rising' ? next++ : anywhere()
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
