/** `npm run build`, in a copy of the project, and the service that it makes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { ProjectCopy } from '../e2e/project-copy.ts'
import { create, token, unshed } from '../e2e/running.ts'

t.setTimeout(900_000)

const copy = await ProjectCopy.make(t)
const build = () => copy.run(manifest.scripts.build)

interface Started {
  readonly url: string
  /** Returns standard output, and Node's messages about the files that it compiles. */
  readonly output: () => string
  /** Resolves to the exit code. */
  readonly stop: () => Promise<unknown>
}

async function start(t: Test, entry: string, environment: Record<string, string> = {}): Promise<Started> {
  const child: ChildProcess = spawn(process.execPath, [entry], {
    cwd: copy.folder,
    env: {
      ...process.env,
      PORT: '0',
      AUTH_TOKENS: token,
      METRICS_PORT: '0',
      RATE_LIMIT: '1000/1m',
      CORS_ORIGIN: 'https://plants.example',
      DATABASE_URL: `sqlite:${t.testdir({})}/plants.db`,
      ...environment
    },
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
  return { url, output: () => output, stop }
}

const paths = ['docs', 'docs/style.css', 'docs/scalar.js', 'openapi.json', 'openapi.yaml', '-/live', 'x']

/** @returns status, type and body of each response */
async function responsesOf(url: string): Promise<unknown[]> {
  const responses: unknown[] = []
  const add = async (response: Response) =>
    responses.push([response.status, response.headers.get('content-type'), await response.text()])
  for (const path of paths) await add(await unshed(() => fetch(`${url}/${path}`)))
  for (const plant of [{ id: 1, name: 'Aloe' }, { id: 1 }]) await add(await create(url, plant))
  return responses
}

t.test('dist/main.js serves what the sources serve, and loads none of them', async (t) => {
  t.strictSame(await build(), { code: 0, output: '' })
  const environment = { NODE_COMPILE_CACHE: t.testdir({}), NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const built = await start(t, 'dist/main.js', environment)
  const responses = await responsesOf(built.url)
  t.match(responses, [[200], [200], [200], [200], [200], [200], [404], [200], [400]])
  t.equal(await built.stop(), 0)
  t.match(built.output(), '"msg":"stopped"')
  t.match(built.output(), `file://${copy.folder}/dist/worker.js`)
  t.ok(existsSync(`${copy.folder}/dist/checkpointer.js`), 'started by the 257th commit')
  for (const folder of ['src', 'node_modules']) t.notMatch(built.output(), `file://${copy.folder}/${folder}/`)
  const sources = await start(t, 'src/main.ts')
  t.strictSame(await responsesOf(sources.url), responses)
  t.equal(await sources.stop(), 0)
})

t.test('the log names the sources of an error', async (t) => {
  await copy.edit('src/plants/create-plant.ts', (text) => text.replace('keepPlant(store', 'edited(store'))
  t.strictSame(await build(), { code: 0, output: '' })
  const { url, output, stop } = await start(t, 'dist/main.js')
  t.equal((await create(url, { id: 1, name: 'Aloe' })).status, 500)
  t.equal(await stop(), 0)
  t.match(output(), /edited is not defined.*src\/plants\/create-plant\.ts:9:/)
})

t.test('dist/main.js refuses a contract that has changed since', async (t) => {
  await copy.edit('openapi.yaml', (text) => text.replace('required: [name]', 'required: [name, tag]'))
  const { code, output } = await copy.run('node dist/main.js')
  t.equal(code, 1)
  t.equal(
    output,
    'openapi.yaml has changed since generated/ was written: run "npm run generate && npm run build"\n'
  )
})

t.test('dist/main.js runs without its packages, but for the script of the docs page', async (t) => {
  const modules = join(copy.folder, 'node_modules')
  await copy.reset()
  t.strictSame(await build(), { code: 0, output: '' })
  rmSync(modules, { recursive: true })
  symlinkSync('/nowhere', modules)
  const { url, stop } = await start(t, 'dist/main.js')
  t.equal((await create(url, { id: 1, name: 'Aloe' })).status, 200)
  t.equal(await stop(), 0)
})
