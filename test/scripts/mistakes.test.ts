/** A user's mistake ends every command with a sentence, a remedy and an exit code, never with a stack. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { type Outcome, ProjectCopy } from '../e2e/project-copy.ts'
import { takenPort } from '../ports.ts'
import { oneProcess, outcomesOf } from './one-process.ts'

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
const wrongServer = createServer((_request, response) => void response.writeHead(418).end())
await once(wrongServer.listen(0, '127.0.0.1'), 'listening')
t.teardown(() => wrongServer.close())
const wrong = (wrongServer.address() as AddressInfo).port

const taken = await takenPort(t)

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

type Row = readonly [what: string, line: string, output: RegExp]

/** Commands, and their complete output; each exits with 1. */
const rows: readonly Row[] = [
  [
    'start: invalid variables',
    'PORT=x LOG_LEVEL=loud node src/main.ts',
    /^PORT is "x"; expected .*\nLOG_LEVEL is "loud"; expected .*\n$/
  ],
  [
    'start: no credentials in production',
    'NODE_ENV=production node src/main.ts',
    /^none of AUTH_TOKENS, .*\n$/
  ],
  [
    'start: a port in use',
    `PORT=${taken} node src/main.ts`,
    /^HOST and PORT: listen EADDRINUSE.*; another process listens there: stop it, or set another port\n$/
  ],
  [
    'start: an unknown host name',
    'HOST=nowhere.invalid node src/main.ts',
    /^HOST and PORT: .*nowhere\.invalid.*\n$/
  ],
  [
    'start: a DATABASE_URL that is not a URL',
    'DATABASE_URL=nonsense node src/main.ts',
    /^DATABASE_URL is "nonsense"; expected sqlite:PATH, or postgres:.*\n$/
  ],
  [
    'start: a database file of another format',
    'DATABASE_URL=sqlite:package.json node src/main.ts',
    /^\S+package\.json is not a SQLite database\n$/
  ],
  [
    'start: a database that does not answer',
    'DATABASE_URL=postgres://me:secret@127.0.0.1:1/x node src/main.ts',
    /^PostgreSQL at 127\.0\.0\.1:1 cannot be reached: ECONNREFUSED\n$/
  ],
  [
    'start: a file that does not hold tokens',
    'AUTH_TOKENS_FILE=tokens node src/main.ts',
    /^(AUTH_TOKENS_FILE: line \d: expected a token .*\n){5}AUTH_TOKENS_FILE: 95 more lines .*\n$/
  ],
  [
    'export: a disk that is full',
    'echo \'{"id":1,"name":"x"}\' | node scripts/import.ts 2> /dev/null; node scripts/export.ts > /dev/full',
    /^standard output cannot be written: ENOSPC.*\n$/
  ],
  [
    'import: an invalid line',
    'DATABASE_URL=sqlite:lines.db node scripts/import.ts < wrong.ndjson',
    /^line 2: body\/name is required\n1 plant is imported; fix the line and run the import again\n$/
  ],
  [
    'import: a text that is not NDJSON',
    'DATABASE_URL=sqlite:lines.db node scripts/import.ts < README.md',
    /^(line \d+: the body is not valid JSON.*\n){10}0 plants are imported; fix the lines .*\n$/
  ],
  [
    'import: a folder',
    'node scripts/import.ts < folder',
    /^standard input is a folder; expected lines of JSON\n$/
  ]
]

/** Commands that read no input: name, options and variables, output, and the exit code if it is not 1. */
type OneOfMany = readonly [
  what: string,
  args: readonly string[],
  output: RegExp,
  code?: number,
  environment?: Record<string, string>
]

const inOneProcess: readonly OneOfMany[] = [
  [
    'generate: a contract that is broken',
    ['--contract', 'broken.yaml', '--out', 'folder'],
    /^broken\.yaml:\d+:\d+ [^\n]*\n {2}\d+ \|[^\n]*\n[^\n]*\^\n\none error; nothing was written\n$/
  ],
  [
    'export: a database that is a folder',
    [],
    /^\S+folder is a directory\n$/,
    1,
    { DATABASE_URL: 'sqlite:folder' }
  ],
  [
    'import: the name of a file',
    ['wrong.ndjson'],
    /^it reads standard input: npm run --silent import < wrong\.ndjson\n$/
  ],
  ['bench: an unknown name', ['nope'], /^nope is not an option; expected bodies, boot, .*\n$/, 2],
  [
    'bench: rounds that are not a number',
    ['boot', '--rounds', 'many'],
    /^--rounds is "many"; expected a whole number above 0\n$/,
    2
  ],
  [
    'mutations: a word that no guarantee contains',
    ['nope'],
    /^no guarantee has "nope" in its name; they are in test\/mutations\/\n$/,
    2
  ],
  [
    'conformance: no server at the URL',
    ['--url', 'http://127.0.0.1:1'],
    /^nobody answers at http:\/\/127\.0\.0\.1:1: ECONNREFUSED\nstart the server, or give another --url\n$/,
    2
  ],
  [
    'conformance: a server that breaks its contract',
    ['--url', `http://127.0.0.1:${wrong}`, '--contract', 'new.yaml', '--requests', '1'],
    /^1 {2}GET \/a [\s\S]*\n\n\d findings?: 1 operation, [\s\S]*\nNext: [^\n]*\n$/
  ],
  [
    'contract-diff: a change that breaks a client',
    ['old.yaml', '--contract', 'new.yaml'],
    /^breaking +new\.yaml:\d+:\d+ .*\n1 breaking, 0 undecided, 0 compatible since old\.yaml\n$/
  ],
  [
    'new: a contract that is not there',
    ['folder/new', '--contract', 'none.yaml'],
    /^none\.yaml cannot be read: there is no such file; --contract names the contract\n$/
  ],
  [
    'new: a contract that is broken',
    ['folder/new', '--contract', 'broken.yaml'],
    /^compiling broken\.yaml: \d\.\d s\nbroken\.yaml:\d+:\d+ /
  ],
  [
    'healthcheck: no service on the port',
    [],
    /^http:\/\/127\.0\.0\.1:1\/-\/live does not answer: .*\n$/,
    1,
    { PORT: '1' }
  ]
]

function checkOutcome(t: Test, outcome: Outcome | undefined, output: RegExp, code = 1): void {
  t.match(outcome, { code, output })
  t.notMatch(outcome?.output, /^ +at |node:internal|secret/m, 'neither a stack nor a password')
}

for (const [what, line, output] of rows)
  t.test(what, async (t) => checkOutcome(t, await copy.run(inProject(line)), output))

t.test('commands that read no input', async (t) => {
  const asked = inOneProcess.map(([what, args, _output, _code, environment = {}]) => {
    const file = inProject(`scripts/${what.split(':')[0]}.ts`)
    return { file, args, environment }
  })
  const outcomes = outcomesOf((await copy.run(await oneProcess(copy, asked))).output)
  t.equal(outcomes.length, inOneProcess.length)
  for (const [index, [what, , output, code]] of inOneProcess.entries())
    await t.test(what, async (t) => checkOutcome(t, outcomes[index], output, code))
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

/** Module by which Node does not find the package. */
const withoutService = `import { registerHooks } from "node:module"
registerHooks({ resolve: (name, context, next) => next(name.replace(/^@contract-first.service$/, "absent-package"), context) })`

t.test('a package that is not installed is named', async (t) => {
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
