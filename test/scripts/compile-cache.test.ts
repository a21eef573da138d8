/** Compiled code that `node scripts/start.js` keeps, in a project without a bundle. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'

// A run of all tests sets the first, one under coverage the second.
const { NODE_COMPILE_CACHE: _cache, NODE_DISABLE_COMPILE_CACHE: _disabled, ...env } = process.env

const readScript = (file: string) => readFileSync(`scripts/${file}`, 'utf8')
const cacheOf = (project: string) => `${project}/node_modules/.cache/compile`

function makeProject(t: Test, modules: Record<string, string>): string {
  return t.testdir({
    'package.json': '{"type":"module"}',
    scripts: {
      'start.js': readScript('start.js'),
      bundle: { 'fresh-bundle.js': readScript('bundle/fresh-bundle.js') }
    },
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
