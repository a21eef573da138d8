/** Starts the service as `npm start` does, and sends a valid request to every operation. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { Operation } from '@contract-first/engine/server'
import contract from '../generated/contract.ts'

/** Credentials that src/security.ts accepts, such as { authorization: 'Bearer …' }; until then requests are refused. */
const credentials: Record<string, string> = {}

interface Sent {
  readonly operationId: string
  readonly method?: string
  readonly target?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Made from the examples and schemas of the contract; edit them as you like. */
const requests: Sent[] = JSON.parse(await readFile(new URL('requests.json', import.meta.url), 'utf8'))
const operations: readonly Operation[] = contract.operations
const agent = new Agent({ keepAlive: true })

const service = fork(new URL('../src/main.ts', import.meta.url), {
  env: { ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'fatal' }
})
const started = await Promise.race([once(service, 'message'), once(service, 'exit')])
const { url } = Object(started[0])
assert.ok(url, 'the service starts')
after(() => service.kill())

async function send({ method = 'GET', target = '/', headers = {}, body }: Partial<Sent>) {
  const all = { ...headers, ...credentials, ...(body && { 'content-length': Buffer.byteLength(body) }) }
  const sent = request(`${url}${target}`, { agent, method, headers: all })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 0, text: await text(answer) }
}

for (const operation of operations) {
  const { operationId, responses, security } = operation
  const sent = requests.find((each) => each.operationId === operationId)
  const todo = sent?.target === undefined && 'write a valid request into test/requests.json'

  test(`${operation.method} ${operation.path}`, { todo }, async () => {
    const { status, text } = await send(sent ?? {})
    if (status === 501) return
    if (status === 401 && security.length > 0 && Object.keys(credentials).length === 0) return
    const names = [String(status), `${Math.floor(status / 100)}XX`, 'default']
    assert.ok(
      names.some((name) => name in responses),
      `${status} is not declared: ${text}`
    )
    assert.ok(status !== 400 && status < 500, `${status}: ${text}`)
  })
}

test('the docs page and the health checks are served', async () => {
  for (const target of ['/docs', '/-/live', '/-/ready']) assert.equal((await send({ target })).status, 200)
})

test('SIGTERM ends the service', async () => {
  service.kill('SIGTERM')
  assert.deepEqual(await once(service, 'exit'), [0, null])
})
