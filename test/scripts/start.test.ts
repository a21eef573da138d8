/** `npm start`: the versions of Node that it refuses, and the compiled code that one start keeps for the next. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { create, token } from '../e2e/running.ts'

t.setTimeout(900_000)

const [, , ...command] = manifest.scripts.start.split(' ')

// A run of all tests sets the first, one under coverage all, and then no code of src/ is cached.
const { NODE_COMPILE_CACHE: _cache, NODE_OPTIONS: _options, NODE_V8_COVERAGE: _reports, ...env } = process.env

const readScript = (file: string) => readFileSync(`scripts/${file}`, 'utf8')
const cacheOf = (project: string) => `${project}/node_modules/.cache/compile`

function makeProject(t: Test, modules: Record<string, string>): string {
  return t.testdir({
    'package.json': '{ "type": "module", "engines": { "node": ">=24 <27" } }',
    scripts: { 'start.js': readScript('start.js'), 'check-node.js': readScript('check-node.js') },
    node_modules: modules,
    src: {
      'answer.ts': 'export const answer: number = 1\n',
      'main.ts': `import { Worker } from 'node:worker_threads'
import { answer } from './answer.ts'

console.log(answer)
new Worker(new URL('thread.ts', import.meta.url))
`,
      'thread.ts': "import { answer } from './answer.ts'\nconsole.log(answer + 10)\n"
    }
  })
}

function run(project: string, ...options: string[]): { output: string; used: string[] } {
  const { stdout, stderr } = spawnSync(process.execPath, [...options, 'scripts/start.js'], {
    cwd: project,
    env: { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    encoding: 'utf8'
  })
  const used = stderr.matchAll(/code cache for \S+ file:\S+\/(\w+\.ts) was accepted/g)
  const others = stderr.split('\n').filter((line) => !/^$|compile cache|success$/.test(line))
  return {
    output: [stdout.trim().split('\n'), others].flat().join(' '),
    used: [...used].map(([, file = '']) => file)
  }
}

t.test('the second run takes the code of every file from the cache, in each thread', async (t) => {
  const project = makeProject(t, {})
  t.strictSame(run(project), { output: '1 11', used: [] })
  const { output, used } = run(project)
  t.equal(output, '1 11')
  t.strictSame(used.sort(), ['answer.ts', 'answer.ts', 'main.ts', 'thread.ts'])
})

t.test('a source that has changed since is compiled anew', async (t) => {
  const project = makeProject(t, {})
  run(project)
  writeFileSync(`${project}/src/answer.ts`, 'export const answer: number = 2\n')
  t.equal(run(project).output, '2 12')
})

t.test('a Node that compiles to other code has a folder of its own', async (t) => {
  const project = makeProject(t, {})
  run(project)
  t.strictSame(run(project, '--no-allocation-site-pretenuring'), { output: '1 11', used: [] })
  t.equal(readdirSync(cacheOf(project)).length, 2)
})

t.test('everything is compiled if the folder cannot be made', async (t) => {
  const project = makeProject(t, { '.cache': 'a file, no folder' })
  t.strictSame(run(project), { output: '1 11', used: [] })
  t.notOk(existsSync(cacheOf(project)))
})

/** Starts the service, creates a plant, ends the service, and returns the verdicts of V8 on cached code, by file. */
async function serveOnce(t: Test, folder: string): Promise<ReadonlyMap<string, string>> {
  const child = spawn(process.execPath, command, {
    env: {
      ...env,
      PORT: '0',
      AUTH_TOKENS: token,
      DATABASE_URL: `sqlite:${folder}/plants.db`,
      NODE_COMPILE_CACHE: `${folder}/cache`,
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE'
    },
    stdio: ['ignore', 'ignore', openSync(`${folder}/trace`, 'w'), 'ipc']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [{ url }] = await once(child, 'message')
  t.equal((await create(url, { id: 1, name: 'x' })).status, 200)
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  t.strictSame(await exit, [0, null])
  const trace = readFileSync(`${folder}/trace`, 'utf8')
  const verdicts = trace.matchAll(/file:\/\/\S*?([^/\s]+) was (accepted|rejected)/g)
  return new Map([...verdicts].map(([, file = '', verdict = '']) => [file, verdict]))
}

t.test('a start of the service takes the code of both threads from the start before it', async (t) => {
  const folder = t.testdir({})
  t.equal((await serveOnce(t, folder)).size, 0)
  const verdicts = await serveOnce(t, folder)
  for (const file of ['main.ts', 'worker.ts']) t.equal(verdicts.get(file), 'accepted', file)
  t.notOk([...verdicts.values()].includes('rejected'))
})

/** Runs a script under a simulated version of Node. */
function runAs(version: string, script: string): { status: number | null; stdout: string; stderr: string } {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
  const preload = `--import=data:text/javascript,${encodeURIComponent(pretend)}`
  const { status, stdout, stderr } = spawnSync(process.execPath, [preload, script], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

t.test(
  'an old version of Node ends with a sentence, and one that is not tested begins with one',
  async (t) => {
    for (const version of ['20.20.2', '22.23.0'])
      t.match(runAs(version, 'scripts/start.js'), {
        status: 1,
        stdout: '',
        stderr: new RegExp(`^needs Node 24 or newer, this is ${version}: .*\\n$`)
      })
    const check = (version: string) => runAs(version, 'scripts/check-node.js')
    t.strictSame(check('24.0.0'), { status: 0, stdout: '', stderr: '' })
    t.strictSame(check('26.99.0'), { status: 0, stdout: '', stderr: '' })
    t.match(check('27.0.0'), { status: 0, stderr: 'this is Node 27.0.0; the tests run on Node 24 to 26\n' })
  }
)

t.test('Node 20 can read what says so', async (t) => {
  // A missing export of a module of Node would be a SyntaxError before the sentence.
  const code = readScript('start.js') + readScript('check-node.js')
  const named = [...code.matchAll(/^import \{ (.*) \} from/gm)].flatMap(([, names = '']) => names.split(', '))
  t.strictSame(named, ['resolve', 'readFileSync'])
})
