/** A run of `generate`: what it prints and writes, its exit code, its progress, and the changes that it watches for. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { paintFor } from '../../../../src/cli/format.ts'
import { Snapshot } from '../../../../src/compiler/command/generate/file-watcher.ts'
import { Progress } from '../../../../src/compiler/command/generate/progress.ts'
import { type Options, runGenerate } from '../../../../src/compiler/command/generate/run.ts'
import { until } from '../../../time.ts'

const plain = paintFor({}, {})
const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths:\n'
const get = (id: string) =>
  `  /${id}:\n    get: { operationId: ${id}, responses: { '204': { description: d } } }\n`
const contract = `${head}${get('a')}`

/** Returns a folder, a run whose options name paths in it, and a function that writes its contract. */
function prepare(t: Test, text = contract) {
  const folder = t.testdir({ 'openapi.yaml': text, folder: {}, file: '' })
  const modes = { check: false, watch: false, stubs: false, strict: false, allWarnings: false }
  const paths = { contract: join(folder, 'openapi.yaml'), out: join(folder, 'out') }
  const run = async (options: Partial<Options> = {}) => {
    const given = { ...modes, ...paths, format: 'text', ...options } as const
    const { exitCode, output, errors } = await runGenerate(given, {
      paints: { output: plain, errors: plain }
    })
    const local = (text: string) => text.replaceAll(`${relative('.', folder)}/`, '')
    return { exitCode, output: local(output), errors: local(errors ?? '') }
  }
  return { folder, run, write: (text: string) => writeFile(paths.contract, text) }
}

t.test('a run prints the written files and the changes, first those that break clients', async (t) => {
  const { run, write } = prepare(t)
  t.match(await run(), {
    exitCode: 0,
    output:
      /^ {2}compiled {2}1 operation into out in \d+ ms\n {2}written {3}.*contract\.ts[\s\S]*\n\nfirst compile: there is no earlier contract to compare with\n$/
  })
  t.match((await run()).output, /ms\n\nnothing has changed\n$/)
  await write(`# a comment\n${contract}${get('b')}`)
  t.match((await run()).output, /2 operations into out[\s\S]*compatible: GET \/b added\n$/)
  await write(`# another comment\n${contract}${get('b')}`)
  t.match((await run()).output, /written[\s\S]*\nnothing that the contract says has changed\n$/)
  const query = 'parameters: [{ name: q, in: query, required: true, schema: { type: string } }]'
  await write(`${contract.replace('operationId: a,', `operationId: a, ${query},`)}${get('b')}`)
  t.match((await run()).output, /\nbreaking: GET \/a query\/q: query parameter q added, required\n$/)
  await write(`${contract.replace('operationId: a,', 'operationId: a, servers: [{ url: / }],')}${get('b')}`)
  t.notMatch((await run()).output, 'breaking')
})

t.test('--check lists the files that differ and writes nothing', async (t) => {
  const { folder, run, write } = prepare(t)
  await run()
  t.match(await run({ check: true }), { exitCode: 0, output: 'out is up to date\n' })
  await write(`${contract}${get('b')}`)
  const before = await readFile(join(folder, 'out/types.ts'), 'utf8')
  const { exitCode, output, errors } = await run({ check: true })
  t.strictSame([exitCode, output], [1, ''])
  t.match(errors, 'out/types.ts is not what the contract compiles to\n')
  t.match(errors, /\n\ncompatible: GET \/b added\nNext: npm run generate\n$/)
  t.equal(await readFile(join(folder, 'out/types.ts'), 'utf8'), before)
})

t.test('warnings are printed and the run is good; errors are counted and nothing is written', async (t) => {
  const { run, write } = prepare(t, contract.replace('204', '600'))
  t.match(await run(), {
    exitCode: 0,
    errors: /^openapi\.yaml:5:\d+ GET \/a cannot answer with status 600 \(warning\)\n/m
  })
  await write(`${contract}security:\n  - bearer: []\n`)
  t.match(await run(), {
    exitCode: 1,
    output: '',
    errors:
      /^openapi\.yaml:7:5 security scheme bearer is not declared .*\n {2}7 \| {3}- bearer[\s\S]*\n\none error; nothing was written\n$/m
  })
  await write(`${contract}security: [{ x: [] }, { y: [] }]\n`)
  t.match((await run()).errors, /\n\n2 errors; nothing was written\n$/)
})

/** Formats for other programs, and the output for a contract with a warning and an error. */
const formats: readonly (readonly [format: Options['format'], output: RegExp])[] = [
  [
    'json',
    /"level":"warning","rule":"response","operation":null,.*"line":5,.*"level":"error","rule":"security"/s
  ],
  ['github', /^::warning file=.*openapi\.yaml,line=5,.*\n::error file=.*,title=security::security scheme x /],
  ['sarif', /"ruleId":"response".*"ruleId":"security"/s],
  ['junit', /<testsuites name="generate" tests="1" failures="1" errors="0">/],
  ['markdown', /^### 2 problems\n\n- \*\*GET /]
]

t.test('--format writes what is wrong for other programs, and nothing else', async (t) => {
  const { run, write } = prepare(t, `${contract.replace('204', '600')}security: [{ x: [] }]\n`)
  for (const [format, output] of formats) {
    const found = await run({ format })
    t.match(found, { exitCode: 1, errors: '' })
    t.match(found.output.replaceAll(/": +/g, '":').replaceAll(/,\n */g, ','), output)
  }
  await write(contract)
  t.match(await run({ format: 'markdown' }), {
    exitCode: 0,
    output: '### The contract has no problem\n\n',
    errors: ''
  })
  t.match(
    (await run({ format: 'junit', check: true })).output,
    '<testcase classname="generate" name="the contract"/>'
  )
  await write(`${contract}${get('b')}`)
  const stale = await run({ format: 'github', check: true })
  t.equal(stale.exitCode, 1)
  t.match(stale.output, /title=generated::.*out\/types\.ts is not what the contract compiles to\n/)
})

t.test('a file that cannot be read or written is one sentence', async (t) => {
  const { folder, run } = prepare(t)
  for (const [options, message] of [
    [{ contract: join(folder, 'nope.yaml') }, 'nope.yaml cannot be read: there is no such file; '],
    [{ contract: join(folder, 'folder') }, 'folder cannot be read: it is not a file; '],
    [{ contract: process.cwd() }, '. cannot be read: it is not a file; '],
    [{ out: join(folder, 'file') }, 'nothing was written: file: there is a file where the folder '],
    [{ out: join(folder, 'file/x') }, 'nothing was written: file/x: there is a file where a folder '],
    [{ out: '/proc/x/y' }, 'nothing was written: /proc/x: no folder can be made there; --out names another'],
    [{ out: join(folder, 'x'.repeat(300)) }, 'nothing was written: ENAMETOOLONG: ']
  ] as const) {
    const { exitCode, output, errors } = await run(options)
    t.strictSame([exitCode, output], [1, ''])
    t.ok(errors.startsWith(message), errors)
    t.equal(errors.split('\n').length, 2)
  }
  await t.rejects(run({ out: 'a\0b' }), { code: 'ERR_INVALID_ARG_VALUE' }, 'a defect keeps its stack')
})

const schemas = (count: number, listed: (at: number) => string) =>
  `components: { schemas: { ${Array.from({ length: count }, (_, at) => `S${at}: { enum: [${listed(at)}] }`)} } }\n`

t.test('warnings of one kind are one line, and each a line with --all-warnings', async (t) => {
  const ambiguous = ['a/{x}', '{y}/b', '{z}/c'].map((path) => {
    const [, name] = /\{(.)\}/.exec(path) ?? []
    const parameter = `parameters: [{ name: ${name}, in: path, required: true, schema: {} }]`
    return `  /${path}:\n    get: { operationId: o${name}, ${parameter}, responses: { '204': { description: d } } }\n`
  })
  const unnamed = ['a', 'b', 'c'].map((id) => get(id).replace(/operationId: ., /, ''))
  const { run, write } = prepare(t)
  for (const [text, line, count] of [
    [
      head + unnamed.join(''),
      / GET \/a has no operationId: .* \(the first of 3 operations\) \(warning\)$/,
      3
    ],
    [
      head + ambiguous.join(''),
      /Found two ambiguous paths: .* \(the first of 2 pairs of paths\) \(warning\)$/,
      2
    ],
    [
      contract + schemas(3, () => ''),
      /`enum` is empty: no value fits \(and at 2 other places\) \(warning\)$/,
      3
    ]
  ] as const) {
    await write(text)
    const heads = async (options: Partial<Options>) =>
      (await run(options)).errors.split('\n').filter((line) => line.endsWith('(warning)'))
    const [found = '', ...others] = await heads({})
    t.match(found, line)
    t.strictSame(others, [])
    t.equal((await heads({ allWarnings: true })).length, count)
  }
  t.match(await run({ strict: true }), {
    exitCode: 1,
    errors:
      /`enum` is empty: no value fits \(and at 2 other places\)\n[\s\S]*\n3 errors; nothing was written\n$/
  })
  await write(contract + schemas(15, (at) => `a${at}, a${at}`))
  t.match((await run()).errors, /… and \d+ more warnings: --all-warnings lists them\n/)
})

t.test(
  'a long compilation prints its current phase, and each next one; a short one prints nothing',
  async (t) => {
    const path = join(t.testdir({}), 'terminal')
    const fd = openSync(path, 'w')
    const shown = () => readFileSync(path, 'utf8')
    const short = new Progress(fd)
    short.begin('writing the types')
    await short.end()
    t.equal(shown(), '')
    const progress = new Progress(fd, 50)
    progress.begin('writing the types')
    await until(() => /^compiling for \d+ s: (starting|writing the types)\n/.test(shown()))
    progress.begin('writing the validators')
    await until(() => /compiling for \d+ s: writing the validators\n$/.test(shown()))
    await progress.end()
    closeSync(fd)
  }
)

t.test('a save of the same text is not a change; an empty file counts as missing', async (t) => {
  const folder = t.testdir({ a: 'one', b: 'two' })
  const [a, b] = [join(folder, 'a'), join(folder, 'b')]
  const snapshot = new Snapshot()
  snapshot.learn([a, b])
  writeFileSync(a, 'one')
  t.strictSame(snapshot.changed([a, b]), [])
  writeFileSync(a, '')
  t.strictSame(snapshot.changed([a, b]), [a])
  t.ok(snapshot.isGone(a))
  rmSync(a)
  t.strictSame(snapshot.changed([b]), [], 'emptied, then removed')
  writeFileSync(a, 'three')
  writeFileSync(b, 'four')
  t.strictSame(snapshot.changed([a]), [a, b], 'known ones are compared as well')
  t.notOk(snapshot.isGone(a))
})

t.test('a named pipe is not read', async (t) => {
  const pipe = join(t.testdir({}), 'pipe')
  execFileSync('mkfifo', [pipe])
  const snapshot = new Snapshot()
  snapshot.learn([pipe, '/dev/zero'])
  t.ok(snapshot.isGone(pipe))
  t.ok(snapshot.isGone('/dev/zero'))
})
