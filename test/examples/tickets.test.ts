/** The example in examples/tickets/: its tests pass, its generated code is current, it is small, and it needs no cast. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { test } from 'tap'
import { compileInMemory, generate } from '../../src/compiler/compiler.ts'
import { projectFiles } from '../../src/tools/new/command/files.ts'
import { planProject } from '../../src/tools/new/command/plan.ts'
import { scaffoldOf } from '../../src/tools/new/scaffold.ts'

t.setTimeout(900_000)

const folder = join(import.meta.dirname, '../../examples/tickets')
const contract = join(folder, 'openapi.yaml')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const code = globSync('{src,test}/**/*.ts', { cwd: folder })

/** Lists the lines of a text that another text does not have, or has fewer times. */
function linesBeyond(text: string, other: string): string[] {
  const left = other.split('\n')
  return text.split('\n').filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

test('its own tests pass', async (t) => {
  // Without NODE_OPTIONS and variables of the service of this process.
  const options = { cwd: folder, env: { PATH: process.env['PATH'] } }
  const tests = globSync('test/**/*.test.ts', { cwd: folder })
  const run = promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', ...tests], options)
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  t.match(stdout, /^# fail 0$/m, stdout)
  t.match(stdout, /^# pass [1-9]\d+$/m)
})

test('its generated code is what its contract compiles to', async (t) => {
  const { differing } = await generate({ contract, out: join(folder, 'generated'), check: true })
  t.strictSame(differing, [], 'npm run generate in examples/tickets')
})

test('it is made by npm run new, and by hand with at most 600 lines', async (t) => {
  const compiled = await compileInMemory(contract)
  const options = { folder: 'tickets', contract: 'openapi.yaml', isMock: false }
  const made = new Map(projectFiles(planProject(compiled, await scaffoldOf(compiled), options)))
  // For a repository of its own; this one has its own.
  const own =
    /^(Dockerfile|\.dockerignore|\.(github|vscode)\/|\.(editorconfig|gitattributes|npmrc)$|biome\.json$)/
  t.strictSame(
    [...made.keys()].filter((file) => !own.test(file) && !existsSync(join(folder, file))),
    []
  )
  const lines = code.flatMap((file) => linesBeyond(read(file), String(made.get(file) ?? '')))
  t.ok(lines.length > 300 && lines.length <= 600, `${lines.length} of at most 600`)
})

test('it needs no cast', async (t) => {
  const cast = /\bas (?!const\b)[\w{[(]|\bany\b|[\w)\]]!(?=[.,;)\]\s[]|$)|@ts-/m
  for (const file of code) {
    const text = read(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|^import .*$/gm, '')
    t.notMatch(text, cast, file)
  }
  for (const text of ['x as string', 'x as unknown as T', 'const x: any', 'x!.y', '(x)!;', '// @ts-ignore'])
    t.match(text, cast)
})
