/** Starts the service as `npm start` does, and sends a request to every operation until each has been seen to succeed. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { smokeTest } from '@contract-first/compiler/smoke-test'
import { contractCoverage } from '@contract-first/engine/coverage'
import contract from '../generated/contract.ts'
import { openStore } from '../src/store/store.ts'
import { bounds, credentials, fixtures, seed } from './fixtures.ts'

const folder = await mkdtemp(join(tmpdir(), 'service-'))
const DATABASE_URL = `sqlite:${join(folder, 'test.db')}`
const store = await openStore(DATABASE_URL, { makesFolders: true })
await seed(store)
await store.close()

const service = fork(new URL('../src/main.ts', import.meta.url), {
  env: {
    ...process.env,
    DATABASE_URL,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'fatal',
    SHUTDOWN_TIMEOUT: '3000',
    AUTH_TOKENS_FILE: join(import.meta.dirname, 'tokens'),
    WEBHOOK_SECRET: 'a secret of the mail service, of 32 characters or more'
  }
})
after(async () => {
  service.kill('SIGKILL')
  await rm(folder, { recursive: true })
})
const signal = AbortSignal.timeout(30_000)
const [started] = await Promise.race([
  once(service, 'message', { signal }),
  once(service, 'exit', { signal })
])
const { url } = Object(started)
assert.ok(url, 'the service starts')

const unseen: string[] = []
const coverage = contractCoverage(contract)
for (const { name, run } of await smokeTest(contract, { fixtures, credentials, coverage }))
  test(name, async (t) => {
    const { kind, text } = await run(url)
    if (kind !== 'success') unseen.push(`${name} ${text}`)
    if (kind === 'unseen') t.todo(text)
    assert.notEqual(kind, 'failure', text)
  })

test('the docs page and the health checks are served', async () => {
  for (const path of ['/docs', '/-/live', '/-/ready'])
    assert.equal((await fetch(url + path, { signal: AbortSignal.timeout(10_000) })).status, 200, path)
})

test('SIGTERM ends the service', async () => {
  service.kill('SIGTERM')
  assert.deepEqual(await once(service, 'exit', { signal: AbortSignal.timeout(10_000) }), [0, null])
})

test('a success of every operation has been seen', (t) => {
  for (const each of unseen) t.diagnostic(`not yet: ${each}`)
  if (unseen.length > 0) t.todo(`${unseen.length} not yet`)
})

test('enough of the contract has been seen', (t) => {
  for (const line of coverage.text().trimEnd().split('\n')) t.diagnostic(line)
  coverage.assert(bounds)
})
