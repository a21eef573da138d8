/**
 * A server of the engine whose handlers read whole bodies: `node bodies.ts FOLDER`, with the compiled contract in the
 * folder. Prints its URL. `GET /usage` answers what its event loop has cost since the last such request.
 */
import { join } from 'node:path'
import { createContractServer } from '@contract-first/engine/server'

let [used, atLastTurn, longestTurn] = [0, 0, 0]

/** CPU time of this thread in ms: other processes of the machine do not lengthen it. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

// A timer runs at most once in a turn of the event loop.
setInterval(() => {
  const now = cpuTime()
  longestTurn = Math.max(longestTurn, now - atLastTurn)
  atLastTurn = now
}, 1)

interface Request {
  readonly body: unknown
}

async function read({ body }: Request) {
  const items = Object(body)[Symbol.asyncIterator] === undefined ? [] : (body as AsyncIterable<unknown>)
  for await (const _ of items);
  return { status: 200, body: {} }
}

const app = await createContractServer({
  contract: (await import(join(String(process.argv.at(-1)), 'contract.ts'))).default,
  handlers: {
    read,
    upload: read,
    usage: () => {
      const answer = { cpu: cpuTime() - used, longestTurn }
      used = cpuTime()
      longestTurn = 0
      return { status: 200, body: answer }
    }
  },
  security: {},
  errorBody: ({ code }) => ({ code })
})
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
