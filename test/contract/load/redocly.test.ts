/** Redocly, which takes a quarter of a compile to load, is loaded where it has something to do. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

t.setTimeout(900_000)

const contract = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { '/a': { $ref: 'b.json' } } }
const single = JSON.stringify({ ...contract, paths: {} })

interface Row {
  readonly what: string
  readonly files: Readonly<Record<string, string>>
  /** Title of the contract, or name of the error. */
  readonly found?: string
  readonly isLoaded?: true
}

const rows: readonly Row[] = [
  { what: 'one file of JSON', files: { 'a.json': single } },
  { what: 'one file of YAML', files: { 'a.yaml': `# YAML\n${single}` } },
  { what: 'two files', files: { 'a.json': JSON.stringify(contract), 'b.json': '{}' }, isLoaded: true },
  {
    what: 'the line of a problem in YAML',
    files: {
      'a.yaml': "openapi: 3.1.0\ninfo: { title: A, version: '1' }\nsecurity: [{ none: [] }]\npaths: {}\n"
    },
    found: 'ContractError'
  }
]

const compile = `
import { registerHooks } from 'node:module'
let count = 0
registerHooks({ load(url, context, next) { count += url.includes('/@redocly/') ? 1 : 0; return next(url, context) } })
const { compileInMemory } = await import('@contract-first/compiler')
const title = await compileInMemory(process.argv[1]).then(({ contract }) => contract.title, ({ name }) => name)
console.log(title, count)`

for (const { what, files, found = 'A', isLoaded = false } of rows)
  t.test(`${what}: Redocly is ${isLoaded ? '' : 'not '}loaded`, async (t) => {
    const folder = t.testdir(files)
    const [root = ''] = Object.keys(files)
    const command = ['--input-type=module', '--eval', compile, join(folder, root)]
    const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
    const [title, count] = stdout.trim().split(' ')
    t.strictSame([title, Number(count) > 0], [found, isLoaded], stderr)
  })
