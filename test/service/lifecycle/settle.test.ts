/** Compiled code that one start caches for the next, with the command of `npm start`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { type Test, test } from 'tap'
import manifest from '../../../package.json' with { type: 'json' }
import { create, token } from '../../e2e/running.ts'
import { freshBundle } from '../../fresh-bundle.ts'
import { until } from '../../time.ts'

const [, ...command] = manifest.scripts.start.split(' ')
// A run under coverage sets it.
const { NODE_DISABLE_COMPILE_CACHE: _disabled, ...inherited } = process.env

/** Starts the service, creates a plant, ends the service, and returns the verdicts of V8 on cached code, by file. */
async function start(t: Test, folder: string, end: (child: ChildProcess) => unknown) {
  const trace = `${folder}/trace`
  const child = spawn(process.execPath, command, {
    env: {
      ...inherited,
      PORT: '0',
      AUTH_TOKENS: token,
      DATABASE_URL: `sqlite:${folder}/plants.db`,
      NODE_COMPILE_CACHE: `${folder}/cache`,
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE'
    },
    stdio: ['ignore', 'ignore', openSync(trace, 'w'), 'ipc']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [{ url }] = await once(child, 'message')
  t.equal((await create(url, { id: 1, name: 'x' })).status, 200)
  const exit = once(child, 'exit')
  await end(child)
  await exit
  const verdicts = readFileSync(trace, 'utf8').matchAll(/file:\/\/\S*?([^/\s]+) was (accepted|rejected)/g)
  return new Map([...verdicts].map(([, file, verdict]) => [file, verdict]))
}

/** Entry files of both threads, in the form that `npm start` runs here. */
const entries = freshBundle(process.cwd()) ? ['main.js', 'sqlite-thread.js'] : ['main.ts', 'worker.ts']

/** Message of each of the two threads after writing its cache. */
const written = 'flushCompileCache() finished'

const leaving: readonly { what: string; leave: (t: Test, folder: string) => Promise<unknown> }[] = [
  {
    what: 'the build of the image',
    leave: async (t, folder) => {
      const env = { ...inherited, NODE_COMPILE_CACHE: `${folder}/cache` }
      const { status, stderr } = spawnSync(process.execPath, ['scripts/warm.js'], { env, encoding: 'utf8' })
      t.strictSame({ status, stderr }, { status: 0, stderr: '' })
    }
  },
  {
    what: 'a service that is killed after a second',
    leave: (t, folder) =>
      start(t, folder, async (child) => {
        await until(() => readFileSync(`${folder}/trace`, 'utf8').split(written).length > 2)
        child.kill('SIGKILL')
      })
  }
]

for (const { what, leave } of leaving) {
  test(`${what} leaves compiled code for the next start, of both threads`, async (t) => {
    const folder = t.testdir({})
    await leave(t, folder)
    const verdicts = await start(t, folder, (child) => child.kill('SIGKILL'))
    for (const file of entries) t.equal(verdicts.get(file), 'accepted', file)
    t.notOk([...verdicts.values()].includes('rejected'))
  })
}
