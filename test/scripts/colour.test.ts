/** Every command writes colours to a terminal only, and none with NO_COLOR or TERM=dumb. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ProjectCopy } from '../e2e/project-copy.ts'
import { breakSecurity } from './contract-edits.ts'
import { type Command, oneProcess, outcomesOf } from './one-process.ts'

t.setTimeout(900_000)
const copy = await ProjectCopy.make(t, { isWhole: true })

/**
 * Returns the SGR sequences, which set colours and weights (ECMA-48, section 8.3.117); without those that clear the
 * screen.
 */
const colours = (text: string): string[] => text.match(/\p{Cc}\[[\d;]*m/gu) ?? []
const ctrlC = '\u0003'

interface Row {
  readonly what: string
  readonly line: string
  /** Output after which Ctrl-C is pressed, for a command that runs until then. */
  readonly until?: RegExp
  /** Test file that checks the colours of this command. */
  readonly paintedIn?: string
}

const rows: readonly Row[] = [
  { what: 'start', line: 'node src/main.ts', until: /curl/ },
  { what: 'start, refused', line: 'PORT=x node src/main.ts' },
  {
    what: 'dev',
    line: 'node scripts/dev.ts --no-types',
    until: /compiled in/,
    paintedIn: 'test/compiler/command/dev/signals.test.ts'
  },
  { what: 'mock', line: 'node scripts/mock.ts --port 0', until: /curl/ }
]

const ended: readonly ({ readonly what: string } & Command)[] = [
  { what: 'generate', file: 'scripts/generate.ts' },
  {
    what: 'generate, of a broken contract',
    file: 'scripts/generate.ts',
    args: ['--contract', 'broken.yaml', '--out', 'elsewhere']
  },
  { what: 'generate, with a wrong option', file: 'scripts/generate.ts', args: ['--nope'] },
  {
    what: 'conformance, when no server answers',
    file: 'scripts/conformance.ts',
    args: ['--url', 'http://127.0.0.1:1']
  },
  { what: 'contract:diff, refused', file: 'scripts/contract-diff.ts', args: ['nope'] },
  { what: 'token', file: 'scripts/token.ts' },
  { what: 'import, refused', file: 'scripts/import.ts', environment: { DATABASE_URL: 'nonsense' } },
  { what: 'export, refused', file: 'scripts/export.ts', environment: { DATABASE_URL: 'nonsense' } },
  { what: 'bench, refused', file: 'scripts/bench.ts', args: ['nope'] },
  { what: 'mutations, refused', file: 'scripts/mutations.ts', args: ['nope'] },
  { what: 'environment, refused', file: 'scripts/docs-environment.ts', args: ['nope'] }
]

/** Runs the line in a terminal. Variables of this process, such as `CI`, may change the colours and are left out. */
async function inTerminal({ line, until }: Omit<Row, 'what'>, extra: object): Promise<string> {
  const { PATH, HOME, NODE_COMPILE_CACHE = '' } = process.env
  const terminal = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: copy.folder,
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', ...extra },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const timer = setTimeout(() => terminal.kill('SIGKILL'), 240_000)
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
  t.strictSame(files.filter(isPainting), ['src/cli/format.ts'])
})

/**
 * Terminals without colours; test/cli/format.test.ts has the full table, and each command is tested with
 * one of them.
 */
const plainTerminals = [{ TERM: 'xterm', NO_COLOR: '1' }, { TERM: 'dumb' }]

for (const [index, row] of rows.entries()) {
  t.test(row.what, async (t) => {
    const plain = inTerminal(row, plainTerminals[index % 2] ?? {})
    if (row.paintedIn === undefined)
      t.not(colours(await inTerminal(row, { TERM: 'xterm', CI: 'true' })).length, 0)
    t.strictSame(colours(await plain), [])
    if (row.until === undefined) t.notMatch((await copy.run(`${row.line} < /dev/null`)).output, /\p{Cc}\[/u)
  })
}

t.test('commands that end by themselves', async (t) => {
  await writeFile(join(copy.folder, 'broken.yaml'), breakSecurity(await copy.read('openapi.yaml')))
  const line = await oneProcess(copy, ended)
  const [painted = [], plain = [], piped = []] = (
    await Promise.all([
      inTerminal({ line }, { TERM: 'xterm', CI: 'true' }),
      inTerminal({ line }, plainTerminals[0] ?? {}),
      copy.run(`${line} < /dev/null`).then(({ output }) => output)
    ])
  ).map(outcomesOf)
  for (const [index, { what }] of ended.entries()) {
    t.not(colours(painted[index]?.output ?? '').length, 0, what)
    t.strictSame(colours(plain[index]?.output ?? ''), [], what)
    t.notMatch(piped[index]?.output, /\p{Cc}\[/u, what)
  }
  t.strictSame(
    [painted, plain, piped].map(({ length }) => length),
    Array(3).fill(ended.length)
  )
})
