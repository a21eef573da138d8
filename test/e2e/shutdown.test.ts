import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { resolve } from 'node:path'
import t, { type Test, test } from 'tap'
import { openStore } from '../../src/open-store.ts'
import { everyPlant } from '../store/conformance.ts'
import { sleep, until } from '../time.ts'
import { createLoad } from './clients.ts'
import { create, inTerminal, type Running, seen, start, token } from './running.ts'

t.setTimeout(900_000)

async function open(t: Test, { port }: Running): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return socket.on('error', () => {})
}

/** Sends a request without the rest of its body, which holds the connection until REQUEST_TIMEOUT. */
async function openRequest(t: Test, running: Running): Promise<Socket> {
  const head = `POST /plants HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
  for (;;) {
    const socket = await open(t, running)
    socket.write(`${head}expect: 100-continue\r\ncontent-length: 23\r\n\r\n`)
    const answer = String(await once(socket, 'data'))
    if (answer.startsWith('HTTP/1.1 503')) {
      // A stalled machine sheds load.
      socket.destroy()
      continue
    }
    t.match(answer, /^HTTP\/1.1 100/, 'the service reads the body')
    socket.write('{"id":1,')
    return socket
  }
}

test('SIGTERM under load: every accepted request is answered, and every acknowledged plant is stored', async (t) => {
  const database = `sqlite:${t.testdir({})}/plants.db`
  const running = await start(t, { DATABASE_URL: database, LOG_LEVEL: 'info', CWD: process.cwd() })
  const load = createLoad(running.url, 100)
  while (load.acknowledged.length < 1_000) await sleep(20)
  running.child.kill('SIGTERM')
  const { code } = await running.ended
  await load.ended
  t.equal(code, 0, 'before SHUTDOWN_TIMEOUT, which would be 1')
  // A stalled machine sheds load with 503, which is an answer, too.
  const unanswered = [...load.others.keys()].filter((outcome) => outcome !== '503')
  t.strictSame(unanswered, ['ECONNREFUSED'], JSON.stringify([...load.others]))
  const store = await openStore(database)
  const stored = new Set<number>()
  for await (const { id } of everyPlant(store)) stored.add(Number(id))
  await store.close()
  t.strictSame(
    load.acknowledged.filter((id) => !stored.has(id)),
    []
  )
  t.equal(stored.size, load.acknowledged.length, 'and nothing that was not')
})

test('idle and unused connections do not delay the end', async (t) => {
  const running = await start(t, { SHUTDOWN_TIMEOUT: '20000', REQUEST_TIMEOUT: '60000' })
  await open(t, running)
  t.equal((await create(running.url, { id: 1, name: 'x' })).status, 200)
  running.child.kill('SIGTERM')
  t.match(await running.ended, { code: 0 }, 'before SHUTDOWN_TIMEOUT, which would be 1')
})

test('during a drain the service is alive but not ready, and answers with Connection: close', async (t) => {
  const running = await start(t, { SHUTDOWN_TIMEOUT: '60000', REQUEST_TIMEOUT: '60000' })
  const [asker, slow] = [await open(t, running), await openRequest(t, running)]
  let text = ''
  asker.on('data', (data) => {
    text += data
  })
  const ask = async (path: string) => {
    text = ''
    asker.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await seen(() => text, /\r\n\r\n.*\}/s)
    return text
  }
  t.match(await ask('/-/ready'), /^HTTP\/1.1 200/)
  running.child.kill('SIGTERM')
  await seen(running.output, /: draining/)
  let refused: string
  do {
    refused = await ask('/-/ready')
    t.match(refused, /^HTTP\/1.1 503.*"error":5031/s)
    // The drain is announced once the service has accepted the connections in the backlog.
  } while (!/connection: close/i.test(refused))
  slow.write('"name":"slow" }')
  t.match(await running.ended, { code: 0 })
})

test('a second signal ends the service at once, and the log counts what was left', async (t) => {
  const running = await start(t, { SHUTDOWN_TIMEOUT: '60000', REQUEST_TIMEOUT: '60000' })
  await openRequest(t, running)
  running.child.kill('SIGTERM')
  await seen(running.output, /: draining/)
  // Two signals within 100 ms count as one.
  await sleep(200)
  running.child.kill('SIGINT')
  const { code } = await running.ended
  t.equal(code, 1)
  t.match(running.log().at(-1), {
    level: 60,
    left: { connections: 1, requests: 1, waiting: 0 },
    msg: /SIGINT while draining/
  })
})

test('the service ends when its terminal is closed', async (t) => {
  const main = resolve(import.meta.dirname, '../../src/main.ts')
  const terminal = inTerminal(t, `node ${main}`, t.testdir({}), { PORT: '0' })
  let output = ''
  terminal.stdout.on('data', (text) => {
    output += text
  })
  const url = await seen(() => output, /service +(http:\S+)/)
  t.equal((await fetch(`${url}/-/live`)).status, 200)
  terminal.kill('SIGKILL')
  // The service answers until it has ended.
  const isGone = () =>
    fetch(`${url}/-/live`).then(
      () => false,
      ({ cause }) => cause?.code === 'ECONNREFUSED'
    )
  let isEnded = false
  await until(async () => {
    isEnded = await isGone()
    return isEnded
  })
  t.ok(isEnded, 'its log would be lost')
})
