/**
 * The load generator, in a process of its own: autocannon, with another id in every request.
 * Usage: node bench/load.ts URL TOKEN CONNECTIONS SECONDS FIRST_ID sequential|random. Writes one line of JSON to stdout.
 */
import autocannon from 'autocannon'

const [url = '', token = '', connections = '64', seconds = '5', first = '1', order] = process.argv.slice(2)
/** Ids have this many digits, so that one can be written over another. */
const digits = 16
const smallest = 10 ** (digits - 1)
let next = smallest + Number(first)

function nextId(): string {
  if (order === 'random') return String(smallest + Math.floor(Math.random() * 8 * smallest))
  return String(next++)
}

const body = `{"id":${smallest},"name":"Monstera deliciosa","tag":"climber"}`
const place = body.indexOf(String(smallest))

/** In place: building every request anew would make the generator slower than what it measures. */
function renew(request: Buffer): void {
  request.write(nextId(), request.length - body.length + place, 'latin1')
}

const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body,
  setupClient(client) {
    const { requestBuffer } = client.requestIterator.currentRequest
    renew(requestBuffer)
    client.on('response', () => renew(requestBuffer))
  }
})
const { latency, requests, non2xx, errors, timeouts, statusCodeStats } = result
console.log(
  JSON.stringify({
    total: requests.total,
    seconds: result.duration,
    latency,
    non2xx,
    errors,
    timeouts,
    statusCodeStats
  })
)
