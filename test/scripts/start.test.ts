/** `npm start` and the scripts before it, in a copy of the project: with and without a bundle. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { ProjectCopy } from '../e2e/project-copy.ts'
import { create, token, unshed } from '../e2e/running.ts'
import { freshBundle } from '../fresh-bundle.ts'

// A run under coverage sets it.
const { NODE_DISABLE_COMPILE_CACHE: _disabled, ...inherited } = process.env
const [, ...command] = manifest.scripts.start.split(' ')

const copy = await ProjectCopy.make(t)
const bundles = join(copy.folder, 'node_modules/.cache/bundle')
const index = join(bundles, 'index.json')
const entryFolder = () => dirname(JSON.parse(readFileSync(index, 'utf8')).entry)

const isFresh = (folder = copy.folder) => freshBundle(folder) !== undefined
/** Outcome without output, except one line if bundling takes long. */
const quiet = { code: 0, output: /^(bundling the service.*\n)?$/ }

interface Started {
  readonly url: string
  readonly child: ChildProcess
  /** Returns standard output, and Node's messages about the files that it compiles. */
  readonly output: () => string
  /** Resolves to the exit code. */
  readonly stop: () => Promise<unknown>
}

async function start(t: Test): Promise<Started> {
  const environment = {
    PORT: '0',
    AUTH_TOKENS: token,
    METRICS_PORT: '0',
    RATE_LIMIT: '1000/1m',
    CORS_ORIGIN: 'https://plants.example',
    DATABASE_URL: `sqlite:${t.testdir({})}/plants.db`,
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE'
  }
  const child = spawn(process.execPath, command, {
    cwd: copy.folder,
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data))
  const exit = once(child, 'exit')
  const [{ url }] = (await Promise.race([
    once(child, 'message'),
    exit.then(() => Promise.reject(output))
  ])) as [{ url: string }]
  const stop = async () => {
    child.kill('SIGTERM')
    return (await exit)[0]
  }
  return { url, child, output: () => output, stop }
}

/** @returns status, type and body of each answer */
async function answersOf(url: string): Promise<unknown[]> {
  const answers: unknown[] = []
  const add = async (answer: Response) =>
    answers.push([answer.status, answer.headers.get('content-type'), await answer.text()])
  for (const path of [
    'docs',
    'docs/style.css',
    'docs/scalar.js',
    'openapi.json',
    'openapi.yaml',
    '-/live',
    'x'
  ])
    await add(await unshed(() => fetch(`${url}/${path}`)))
  for (const plant of [{ id: 1, name: 'Aloe' }, { id: 1 }]) await add(await create(url, plant))
  return answers
}

/** Returns whether Node has compiled a file of this folder. */
const isFrom = (place: string, output: string) => output.includes(`file://${copy.folder}/${place}`)
const bundled = 'node_modules/.cache/bundle/'

let answers: unknown

t.test('the bundle that npm ci makes serves', async (t) => {
  t.match(await copy.run(manifest.scripts.prepare), quiet)
  t.ok(isFresh())
  const { url, output, stop } = await start(t)
  answers = await answersOf(url)
  t.match(answers, [[200], [200], [200], [200], [200], [200], [404], [200], [400]])
  t.equal(await stop(), 0)
  t.match(output(), '"msg":"stopped"')
  t.ok(isFrom(bundled, output()))
  t.notOk(isFrom('src/', output()), 'neither thread loads a source')
})

t.test('a bundle is not used where a file of it is gone, nor for a copy of the project', async (t) => {
  const chunk = join(entryFolder(), 'sqlite-thread.js')
  renameSync(chunk, `${chunk}.away`)
  t.notOk(isFresh(), 'a file of it')
  renameSync(`${chunk}.away`, chunk)
  t.ok(isFresh())
  const place = join(t.testdir({}), 'node_modules/.cache/bundle')
  mkdirSync(place, { recursive: true })
  copyFileSync(index, join(place, 'index.json'))
  t.notOk(isFresh(t.testdirName), 'a copy of it')
})

t.test('a bundle is used after an image has cut the times of its files', async (t) => {
  const { files }: { files: { path: string; mtimeMs: number }[] } = JSON.parse(readFileSync(index, 'utf8'))
  const [{ path, mtimeMs } = { path: '', mtimeMs: 0 }] = files.filter(({ path }) => path.endsWith('main.ts'))
  utimesSync(path, Math.floor(mtimeMs / 1_000), Math.floor(mtimeMs / 1_000))
  t.ok(isFresh())
  utimesSync(path, Math.floor(mtimeMs / 1_000) + 1, Math.floor(mtimeMs / 1_000) + 1)
  t.notOk(isFresh())
  utimesSync(path, mtimeMs / 1_000, mtimeMs / 1_000)
})

t.test('after an edit the sources serve until the bundle is made anew', async (t) => {
  await copy.edit('src/plants/create-plant.ts', (text) => text.replace('keepPlant(store', 'edited(store'))
  t.notOk(isFresh())
  const former = entryFolder()
  t.match(await copy.run(manifest.scripts.prestart), quiet)
  t.ok(isFresh())
  t.ok(existsSync(former), 'a service that runs from the former bundle may load more of it')
  const { url, output, stop } = await start(t)
  t.equal((await create(url, { id: 1, name: 'Aloe' })).status, 500)
  t.equal(await stop(), 0)
  t.match(output(), /edited is not defined.*src\/plants\/create-plant\.ts:10:/, 'the log names the source')
  t.ok(isFrom(bundled, output()))
  await copy.edit('src/plants/create-plant.ts', (text) => text.replace('edited(store', 'keepPlant(store'))
})

t.test('the sources serve the same if the bundle cannot be made or read', async (t) => {
  t.notOk(isFresh(), 'after the edit')
  rmSync(join(copy.folder, 'node_modules/esbuild'))
  t.match(await copy.run(manifest.scripts.prestart), quiet, 'without esbuild')
  rmSync(bundles, { recursive: true })
  writeFileSync(bundles, 'a file, no folder')
  t.match(await copy.run(manifest.scripts.prepare), quiet, 'where nothing can be written')
  const { url, output, stop } = await start(t)
  t.strictSame(await answersOf(url), answers)
  t.equal(await stop(), 0)
  t.ok(isFrom('src/store/sqlite/worker.ts', output()))
})
