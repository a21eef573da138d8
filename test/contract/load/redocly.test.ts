/** Redocly is loaded where it has something to do. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const contract = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { '/a': { $ref: 'b.json' } } }
const single = JSON.stringify({ ...contract, paths: {} })

const rows: readonly { what: string; files: Record<string, string>; isLoaded: boolean }[] = [
  { what: 'one file of JSON', files: { 'a.json': single }, isLoaded: false },
  { what: 'one file of YAML', files: { 'a.yaml': `# YAML\n${single}` }, isLoaded: false },
  { what: 'two files of JSON', files: { 'a.json': JSON.stringify(contract), 'b.json': '{}' }, isLoaded: true }
]

const load = `
import { registerHooks } from 'node:module'
let count = 0
registerHooks({ load(url, context, next) { count += url.includes('/@redocly/') ? 1 : 0; return next(url, context) } })
const { loadContract } = await import('@contract-first/contract/load')
const { problems, model } = await loadContract(process.argv[1])
console.log(problems.filter(({ severity }) => severity === 'error').length, model.title, count)`

for (const { what, files, isLoaded } of rows)
  t.test(`${what}: Redocly is ${isLoaded ? '' : 'not '}loaded`, async (t) => {
    const folder = t.testdir(files)
    const [root = ''] = Object.keys(files)
    const command = ['--input-type=module', '--eval', load, join(folder, root)]
    const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
    const [errors, title, count] = stdout.trim().split(' ')
    t.strictSame([errors, title, Number(count) > 0], ['0', 'A', isLoaded], stderr)
  })
