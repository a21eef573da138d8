/** Starts the service as `npm start` does, on an empty database, and ends it as a deployment does. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { environment } from './fixtures.ts'

const folder = await mkdtemp(join(tmpdir(), 'service-'))
const service = fork(new URL('../src/main.ts', import.meta.url), {
  env: {
    ...process.env,
    ...environment,
    DATABASE_URL: `sqlite:${join(folder, 'test.db')}`,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'fatal',
    SHUTDOWN_TIMEOUT: '3000'
  }
})
const exited = once(service, 'exit')
after(async () => {
  service.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

test('the service starts, with its docs page and its health checks', async () => {
  const signal = AbortSignal.timeout(30_000)
  const [started] = await Promise.race([once(service, 'message', { signal }), exited])
  const { url } = Object(started)
  assert.ok(url, 'the service starts')
  for (const path of ['/docs', '/-/live', '/-/ready'])
    assert.equal((await fetch(url + path, { signal })).status, 200, path)
})

test('SIGTERM ends the service', { timeout: 10_000 }, async () => {
  service.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
})
