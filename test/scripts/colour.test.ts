/** Every command writes colours to a terminal only, and none with NO_COLOR or TERM=dumb. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ProjectCopy } from '../e2e/project-copy.ts'
import { breakSecurity } from './contract-edits.ts'

t.setTimeout(300_000)
const copy = await ProjectCopy.make(t, { isWhole: true })

/** Returns the SGR sequences, which set colours and weights (ECMA-48, section 8.3.117); those that clear the screen are none. */
const colours = (text: string): string[] => text.match(/\p{Cc}\[[\d;]*m/gu) ?? []
const ctrlC = '\u0003'

interface Row {
  readonly what: string
  readonly line: string
  /** The command runs until Ctrl-C, which is pressed when its output matches. */
  readonly until?: RegExp
  /** Runs in a copy whose contract is broken. */
  readonly isBroken?: true
}

const rows: readonly Row[] = [
  { what: 'start', line: 'node src/main.ts', until: /curl/ },
  { what: 'start, refused', line: 'PORT=x node src/main.ts' },
  { what: 'generate', line: 'node scripts/generate.ts' },
  { what: 'generate, of a broken contract', line: 'node scripts/generate.ts', isBroken: true },
  { what: 'generate, with a wrong option', line: 'node scripts/generate.ts --nope' },
  { what: 'dev', line: 'node scripts/dev.ts --no-types', until: /compiled in/ },
  { what: 'mock', line: 'node scripts/mock.ts --port 0', until: /curl/ },
  { what: 'conformance, where nobody answers', line: 'node scripts/conformance.ts --url http://127.0.0.1:1' },
  { what: 'contract:diff, refused', line: 'node scripts/contract-diff.ts nope' },
  { what: 'token', line: 'node scripts/token.ts' },
  { what: 'import, refused', line: 'DATABASE_URL=nonsense node scripts/import.ts' },
  { what: 'export, refused', line: 'DATABASE_URL=nonsense node scripts/export.ts' },
  { what: 'bench, refused', line: 'node scripts/bench.ts nope' },
  { what: 'mutations, refused', line: 'node scripts/mutations.ts nope' },
  { what: 'environment, refused', line: 'node scripts/docs-environment.ts nope' }
]

/** Runs the line in a terminal. Variables of this process, such as `CI`, may change the colours and are left out. */
async function inTerminal({ line, until }: Row, project: ProjectCopy, extra: object): Promise<string> {
  const { PATH, HOME, NODE_COMPILE_CACHE = '' } = process.env
  const terminal = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: project.folder,
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', ...extra },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const timer = setTimeout(() => terminal.kill('SIGKILL'), 30_000)
  let shown = ''
  let isPressed = false
  terminal.stdout.on('data', (text) => {
    shown += text
    if (isPressed || until?.test(shown) !== true) return
    isPressed = true
    terminal.stdin.write(ctrlC)
  })
  await once(terminal, 'close')
  clearTimeout(timer)
  return shown
}

t.test('one file decides about colours', async (t) => {
  const isPainting = (file: string) => readFileSync(join(copy.folder, file), 'utf8').includes('styleText(')
  const files = globSync('{src,scripts,bench}/**/*.{ts,js}', { cwd: copy.folder })
  t.strictSame(files.filter(isPainting), ['src/service/terminal/format.ts'])
})

/** Which terminals are plain is the table of test/service/terminal/format.test.ts: each command is asked for one of them. */
const plainTerminals = [{ TERM: 'xterm', NO_COLOR: '1' }, { TERM: 'dumb' }]

for (const [index, row] of rows.entries()) {
  t.test(row.what, async (t) => {
    const project = row.isBroken ? await ProjectCopy.make(t) : copy
    if (row.isBroken) await project.edit('openapi.yaml', breakSecurity)
    const terminals = [{ TERM: 'xterm', CI: 'true' }, plainTerminals[index % 2] ?? {}]
    const shown = terminals.map((extra) => inTerminal(row, project, extra))
    const [painted, plain] = (await Promise.all(shown)).map(colours)
    t.not(painted?.length, 0)
    t.strictSame(plain, [])
    if (row.until === undefined)
      t.notMatch((await project.run(`${row.line} < /dev/null`)).output, /\p{Cc}\[/u)
  })
}
