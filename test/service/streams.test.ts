/** A service with open streams, in a separate process: its shutdown ends them and succeeds. */
import root, { type Test, test } from 'tap'
import { generate } from '../../src/compiler/compiler.ts'
import { run, seen } from '../e2e/running.ts'
import { type Client, openClient } from '../engine/server/responses/streams.ts'
import { until } from '../time.ts'

root.setTimeout(900_000)

const openapi = `openapi: 3.2.0
info: { title: Ticks, version: '1' }
paths:
  /ticks:
    get:
      operationId: ticks
      responses:
        '200':
          description: Ticks
          content: { text/event-stream: { itemSchema: { type: object, properties: { data: { type: object } } } } }
  /silent:
    get:
      operationId: silent
      responses: { '200': { description: Nothing, content: { application/jsonl: { itemSchema: {} } } } }
`
const door = new URL('../../src/service/service.ts', import.meta.url).href
const app = `import { setTimeout as sleep } from 'node:timers/promises'
import { defineService } from '${door}'
import contract from '../generated/contract.ts'

export default defineService({
  contract,
  heartbeat: 50,
  security: {},
  handlers: () => ({
    ticks: () => ({
      status: 200,
      body: (async function* () {
        for (let tick = 0; ; tick++) {
          yield { data: { tick } }
          await sleep(200)
        }
      })()
    }),
    silent: () => ({
      status: 200,
      body: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }
    })
  }),
  errorBody: ({ status, message }) => ({ status, title: message })
})
`
const main = `import { runMain } from '${door}'
await runMain({
  manifest: { version: '1.2.3' },
  contract: async () => (await import('../generated/contract.ts')).default,
  service: async () => (await import('./app.ts')).default,
  defaults: { PORT: '0' }
})
`
const folder = root.testdir({ 'openapi.yaml': openapi, src: { 'app.ts': app, 'main.ts': main }, work: {} })
await generate({ contract: `${folder}/openapi.yaml`, out: `${folder}/generated` })

async function started(t: Test, environment: Record<string, string> = {}) {
  const running = run(t, { CWD: `${folder}/work`, ...environment }, [], `${folder}/src/main.ts`)
  const url = await seen(running.output, /listening at (http:\S+?)"/)
  const open = async (path: string): Promise<Client> => {
    const client = await openClient(t, Number(new URL(url).port), path)
    await until(() => client.text() !== '')
    return client
  }
  return { ...running, open }
}

test('SIGTERM ends open streams complete, and the process exits 0', async (t) => {
  const { child, ended, open } = await started(t)
  const clients = [await open('ticks'), await open('ticks'), await open('silent')]
  t.match(clients[2]?.text(), /^HTTP\/1.1 200 OK\r\n/, 'heartbeats have the time of the definition')
  child.kill('SIGTERM')
  const { code, output } = await ended
  t.equal(code, 0)
  t.match(output, /"streams":3,.*"open streams were ended"/)
  t.match(output, /"stopped"/)
  t.notMatch(output, /"level":(50|60)/)
  await until(() => clients.every((client) => client.ending() !== 'open'))
  t.strictSame(
    clients.map((client) => client.isWhole()),
    [true, true, true]
  )
})

test('a short time for the shutdown is enough, with clients that do not read, too', async (t) => {
  const { child, ended, open } = await started(t, { SHUTDOWN_TIMEOUT: '1000' })
  const clients = [await open('silent'), await open('ticks')]
  clients[1]?.socket.pause()
  child.kill('SIGTERM')
  const { code, output } = await ended
  t.equal(code, 0)
  t.match(output, /"streams":2,.*"open streams were ended"/)
})
