/** A user's mistake ends every command with a sentence, a remedy and an exit code, never with a stack. */
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { type Outcome, ProjectCopy } from '../e2e/project-copy.ts'
import { type Command, oneProcess, outcomesOf } from './one-process.ts'

t.setTimeout(900_000)
const copy = await ProjectCopy.make(t, { isWhole: true })
await mkdir(join(copy.folder, 'folder'))
await writeFile(join(copy.folder, 'wrong.ndjson'), '{"id":1,"name":"x"}\n{"id":2}\n')
await writeFile(join(copy.folder, 'tokens'), `${'no=token\n'.repeat(100)}`)
await writeFile(join(copy.folder, 'broken.yaml'), 'openapi: 3.1.0\npaths: {\n')

const operation = (name: string) =>
  `  /${name}: { get: { operationId: ${name}, responses: { '204': { description: d } } } }\n`
const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths:\n'
await writeFile(join(copy.folder, 'old.yaml'), head + operation('a') + operation('b'))
await writeFile(join(copy.folder, 'new.yaml'), head + operation('a'))

/** Server that answers every request with an undeclared status. */
const wrongServer = createHttpServer((_request, response) => void response.writeHead(418).end())
await once(wrongServer.listen(0, '127.0.0.1'), 'listening')
t.teardown(() => wrongServer.close())
const wrong = (wrongServer.address() as AddressInfo).port

const other = createServer()
await once(other.listen(0, '127.0.0.1'), 'listening')
t.teardown(() => other.close())
const taken = (other.address() as AddressInfo).port

/** Commands of package.json that run a file of this project: `node [FLAG…] FILE`. */
const commands = Object.entries(manifest.scripts).flatMap(([name, line]) => {
  const [, file] = /^(?:exec )?node (?:--\S+ )*((?:scripts|src)\/\S+\.ts|bench\/peers\.js)$/.exec(line) ?? []
  return file === undefined ? [] : [{ name, file }]
})

const project = resolve(import.meta.dirname, '../..')
/** Runs commands that write no file from the project itself, so that their lines count as covered. */
const inProject = (line: string): string =>
  line.replaceAll(
    /((?:scripts\/(?:export|import|healthcheck|token)|src\/(?:main|compiler\/command\/contract))\.ts)/g,
    `${project}/$1`
  )

const isStart = (name: string) => name === 'start'

t.test('every command prints its usage for --help, and refuses an unknown option', async (t) => {
  t.ok(commands.length >= 14)
  const [alone, together] = [false, true].map((isScript) =>
    commands.filter(({ file }) => isScript === file.startsWith('scripts/'))
  )
  const refused = /^--nonsense is not an option; expected .*\n$/
  for (const { name, file } of alone ?? []) {
    t.match(await copy.run(`node ${file} --help`), { code: 0, output: /^usage: |\nusage: / }, name)
    t.match(await copy.run(`node ${file} --nonsense`), { code: isStart(name) ? 1 : 2, output: refused })
  }
  const scripts = (together ?? []).flatMap(({ name, file }) =>
    ['--help', '--nonsense'].map((option) => ({ name, file, args: [option] }))
  )
  const programs = ['generate', 'dev', 'mock', 'diff', 'lint', 'conformance', 'new'].map((name) => ({
    ...{ name: `contract ${name}`, file: inProject('src/compiler/command/contract.ts') },
    args: [name, '--help']
  }))
  const asked = [...scripts, ...programs]
  const outcomes = outcomesOf((await copy.run(await oneProcess(copy, asked))).output)
  t.equal(outcomes.length, asked.length)
  for (const [index, { name, args }] of asked.entries())
    t.match(
      outcomes[index],
      args.at(-1) === '--help' ? { code: 0, output: /^usage: |\nusage: / } : { code: 2, output: refused },
      name
    )
})

interface Row {
  readonly what: string
  readonly code?: number
  /** Complete output of the command. */
  readonly output: RegExp
}

const rows: readonly (Row & { readonly line: string })[] = [
  {
    what: 'start: invalid variables',
    line: 'PORT=x LOG_LEVEL=loud node src/main.ts',
    output: /^PORT is "x"; expected .*\nLOG_LEVEL is "loud"; expected .*\n$/
  },
  {
    what: 'start: a port in use',
    line: `PORT=${taken} node src/main.ts`,
    output:
      /^HOST and PORT: listen EADDRINUSE.*; another process listens there: stop it, or set another port\n$/
  },
  {
    what: 'start: an unknown host name',
    line: 'HOST=nowhere.invalid node src/main.ts',
    output: /^HOST and PORT: .*nowhere\.invalid.*\n$/
  },
  {
    what: 'start: a DATABASE_URL that is not a URL',
    line: 'DATABASE_URL=nonsense node src/main.ts',
    output: /^DATABASE_URL is "nonsense"; expected sqlite:PATH, or postgres:.*\n$/
  },
  {
    what: 'start: a database file of another format',
    line: 'DATABASE_URL=sqlite:package.json node src/main.ts',
    output: /^\S+package\.json is not a SQLite database\n$/
  },
  {
    what: 'start: a database that does not answer',
    line: 'DATABASE_URL=postgres://me:secret@127.0.0.1:1/x node src/main.ts',
    output: /^PostgreSQL at 127\.0\.0\.1:1 cannot be reached: ECONNREFUSED\n$/
  },
  {
    what: 'start: a file that does not hold tokens',
    line: 'AUTH_TOKENS_FILE=tokens node src/main.ts',
    output: /^(AUTH_TOKENS_FILE: line \d: expected a token .*\n){5}AUTH_TOKENS_FILE: 95 more lines .*\n$/
  },
  {
    what: 'export: a disk that is full',
    line: 'echo \'{"id":1,"name":"x"}\' | node scripts/import.ts 2> /dev/null; node scripts/export.ts > /dev/full',
    output: /^standard output cannot be written: ENOSPC.*\n$/
  },
  {
    what: 'import: an invalid line',
    line: 'DATABASE_URL=sqlite:lines.db node scripts/import.ts < wrong.ndjson',
    output: /^line 2: body\/name is required\n1 plant is imported; fix the line and run the import again\n$/
  },
  {
    what: 'import: a text that is not NDJSON',
    line: 'DATABASE_URL=sqlite:lines.db node scripts/import.ts < README.md',
    output: /^(line \d+: the body is not valid JSON.*\n){10}0 plants are imported; fix the lines .*\n$/
  },
  {
    what: 'import: a folder',
    line: 'node scripts/import.ts < folder',
    output: /^standard input is a folder; expected lines of JSON\n$/
  }
]

const inOneProcess: readonly (Row & Command)[] = [
  {
    what: 'generate: a contract that is broken',
    file: 'scripts/generate.ts',
    args: ['--contract', 'broken.yaml', '--out', 'folder'],
    output: /^broken\.yaml:\d+:\d+ [^\n]*\n {2}\d+ \|[^\n]*\n[^\n]*\^\n\none error; nothing was written\n$/
  },
  {
    what: 'export: a database that is a folder',
    file: 'scripts/export.ts',
    environment: { DATABASE_URL: 'sqlite:folder' },
    output: /^\S+folder is a directory\n$/
  },
  {
    what: 'import: the name of a file',
    file: 'scripts/import.ts',
    args: ['wrong.ndjson'],
    output: /^it reads standard input: npm run --silent import < wrong\.ndjson\n$/
  },
  {
    what: 'bench: an unknown name',
    file: 'scripts/bench.ts',
    args: ['nope'],
    code: 2,
    output: /^nope is not an option; expected bodies, boot, .*\n$/
  },
  {
    what: 'bench: rounds that are not a number',
    file: 'scripts/bench.ts',
    args: ['boot', '--rounds', 'many'],
    code: 2,
    output: /^--rounds is "many"; expected a whole number above 0\n$/
  },
  {
    what: 'mutations: a word that no guarantee contains',
    file: 'scripts/mutations.ts',
    args: ['nope'],
    code: 2,
    output: /^no guarantee has "nope" in its name; they are in test\/mutations\/\n$/
  },
  {
    what: 'conformance: no server at the URL',
    file: 'scripts/conformance.ts',
    args: ['--url', 'http://127.0.0.1:1'],
    code: 2,
    output:
      /^nobody answers at http:\/\/127\.0\.0\.1:1: ECONNREFUSED\nstart the server, or give another --url\n$/
  },
  {
    what: 'conformance: a server that breaks its contract',
    file: 'scripts/conformance.ts',
    args: ['--url', `http://127.0.0.1:${wrong}`, '--contract', 'new.yaml', '--requests', '1'],
    output: /^1 {2}GET \/a [\s\S]*\n\n\d findings?: 1 operation, [\s\S]*\nNext: [^\n]*\n$/
  },
  {
    what: 'contract:diff: a change that breaks a client',
    file: 'scripts/contract-diff.ts',
    args: ['old.yaml', '--contract', 'new.yaml'],
    output: /^breaking +new\.yaml:\d+:\d+ .*\n1 breaking, 0 undecided, 0 compatible since old\.yaml\n$/
  },
  {
    what: 'new: a contract that is not there',
    file: 'scripts/new.ts',
    args: ['folder/new', '--contract', 'none.yaml'],
    output: /^none\.yaml cannot be read: there is no such file; --contract names the contract\n$/
  },
  {
    what: 'new: a contract that is broken',
    file: 'scripts/new.ts',
    args: ['folder/new', '--contract', 'broken.yaml'],
    output: /^compiling broken\.yaml: \d\.\d s\nbroken\.yaml:\d+:\d+ /
  },
  {
    what: 'healthcheck: no service on the port',
    file: 'scripts/healthcheck.ts',
    environment: { PORT: '1' },
    output: /^http:\/\/127\.0\.0\.1:1\/-\/live does not answer: .*\n$/
  }
]

function checkOutcome(t: Test, { code, output }: Outcome, row: Row): void {
  t.equal(code, row.code ?? 1)
  t.match(output, row.output)
  t.notMatch(output, /^ +at |node:internal|secret/m, 'neither a stack nor a password')
}

for (const row of rows) {
  t.test(row.what, async (t) => checkOutcome(t, await copy.run(inProject(row.line)), row))
}

t.test('commands that read no input', async (t) => {
  const asked = inOneProcess.map((row) => ({ ...row, file: inProject(row.file) }))
  const { output } = await copy.run(await oneProcess(copy, asked))
  const outcomes = outcomesOf(output)
  t.equal(outcomes.length, inOneProcess.length)
  for (const [index, row] of inOneProcess.entries())
    await t.test(row.what, async (t) => checkOutcome(t, outcomes[index] ?? { code: 0, output }, row))
})

/** Returns the output of `npm run dev` until it waits for a change. */
async function developed(project: ProjectCopy, environment: Record<string, string> = {}): Promise<string> {
  const { child, output } = await project.start('exec node scripts/dev.ts --no-types', /waiting/, environment)
  child.kill('SIGINT')
  await once(child, 'exit')
  return output
}

t.test('every command that reads .env reports one that is not a file', async (t) => {
  const broken = await ProjectCopy.make(t)
  await mkdir(join(broken.folder, '.env'))
  for (const file of ['src/main.ts', 'scripts/export.ts', 'scripts/import.ts']) {
    t.same(await broken.run(inProject(`node ${file} < /dev/null`)), {
      code: 1,
      output: '.env cannot be read: it must be a file of NAME=value lines\n'
    })
  }
  t.match(await developed(broken), /the server did not start:\n\.env cannot be read/)
})

t.test('npm run dev shows why a server cannot start, and waits for a change', async (t) => {
  const output = await developed(copy, { PORT: String(taken) })
  t.match(
    output,
    /\nthe server did not start:\nHOST and PORT: listen EADDRINUSE.*\n\n\S+ no server is running; /
  )
})

t.test('a package that is not installed is named', async (t) => {
  // Outside of the project, because Node searches the parent folders for packages.
  const folder = await mkdtemp(join(tmpdir(), 'no-packages-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await copy.run(`cp -r src generated package.json openapi.yaml ${folder}`)
  t.match(await copy.run(`cd ${folder} && timeout 20 "${process.execPath}" src/main.ts`), {
    code: 1,
    output: /^the package \S+ is not installed: run "npm ci"\n$/
  })
})

/** Module by which Node does not find the package. */
const withoutService = `import { registerHooks } from "node:module"
registerHooks({ resolve: (name, context, next) => next(name.replace(/^@contract-first.service$/, "absent-package"), context) })`

t.test('the package of the service is named, too', async (t) => {
  t.strictSame(
    await copy.run(
      inProject(`node --import 'data:text/javascript,${encodeURIComponent(withoutService)}' src/main.ts`)
    ),
    {
      code: 1,
      output: 'the package @contract-first/service is not installed: run "npm ci"\n'
    }
  )
})
