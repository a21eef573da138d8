import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import type { Result } from '../../../../src/cli/command.ts'
import { paintFor } from '../../../../src/cli/format.ts'
import { type Options, runGenerate } from '../../../../src/compiler/command/generate/run.ts'

const plain = paintFor({}, {})
const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths:\n'
const get = (id: string) =>
  `  /${id}:\n    get: { operationId: ${id}, responses: { '204': { description: d } } }\n`
const contract = `${head}${get('a')}`

interface Run {
  readonly folder: string
  readonly run: (options?: Partial<Options>) => Promise<Result>
  /** Returns the text without the folder's path. */
  readonly local: (text: string) => string
}

/** Prepares a folder with files, and a run whose options name paths in it. */
function prepare(t: Test, files: Record<string, string | object>): Run {
  const folder = t.testdir({ 'openapi.yaml': contract, ...files })
  const modes = { check: false, watch: false, stubs: false, strict: false, allWarnings: false }
  const paths = { contract: join(folder, 'openapi.yaml'), out: join(folder, 'out') }
  return {
    folder,
    run: (options) =>
      runGenerate(
        { ...modes, ...paths, format: 'text', ...options },
        { paints: { output: plain, errors: plain } }
      ),
    local: (text) => text.replaceAll(`${relative('.', folder)}/`, '')
  }
}

t.test('a run prints the written files and the changes', async (t) => {
  const { folder, run, local } = prepare(t, {})
  const { exitCode, output } = await run()
  t.equal(exitCode, 0)
  t.match(local(output), /^ {2}compiled {2}1 operation into out in \d+ ms\n {2}written {3}.*contract\.ts/)
  t.match(output, /\n\nfirst compile: there is no earlier contract to compare with\n$/)
  t.match((await run()).output, /ms\n\nnothing has changed\n$/)
  await writeFile(join(folder, 'openapi.yaml'), `# a comment\n${contract}${get('b')}`)
  t.match(local((await run()).output), /2 operations into out[\s\S]*compatible: GET \/b added\n$/)
  await writeFile(join(folder, 'openapi.yaml'), `# another comment\n${contract}${get('b')}`)
  t.match((await run()).output, /written[\s\S]*\nnothing that the contract says has changed\n$/)
})

t.test('a run lists changes that break clients of the contract compiled last', async (t) => {
  const { folder, run } = prepare(t, {})
  const write = (parameter: string) =>
    writeFile(
      join(folder, 'openapi.yaml'),
      contract.replace('operationId: a,', `operationId: a, ${parameter}`)
    )
  await run()
  await write('parameters: [{ name: q, in: query, required: true, schema: { type: string } }],')
  t.match((await run()).output, /\nbreaking: GET \/a query\/q: query parameter q added, required\n$/)
  await write('servers: [{ url: / }],')
  t.notMatch((await run()).output, 'breaking')
  await writeFile(
    join(folder, 'openapi.yaml'),
    contract.replace('openapi: 3.1.0', 'openapi: 3.1.0\nsecurity: []')
  )
  t.notMatch((await run()).output, 'breaking')
})

t.test('--check lists the files that differ and writes nothing', async (t) => {
  const { folder, run, local } = prepare(t, {})
  await run()
  const good = await run({ check: true })
  t.equal(local(good.output), 'out is up to date\n')
  t.equal(good.exitCode, 0)
  await writeFile(join(folder, 'openapi.yaml'), `${contract}${get('b')}`)
  const before = await readFile(join(folder, 'out/types.ts'), 'utf8')
  const { exitCode, output, errors } = await run({ check: true })
  t.equal(exitCode, 1)
  t.equal(output, '')
  t.match(local(errors), 'out/types.ts is not what the contract compiles to\n')
  t.match(errors, /\n\ncompatible: GET \/b added\nNext: npm run generate\n$/)
  t.equal(await readFile(join(folder, 'out/types.ts'), 'utf8'), before)
})

t.test('warnings go to standard error, and the run is good', async (t) => {
  const { run, local } = prepare(t, { 'openapi.yaml': contract.replace('204', '600') })
  const { exitCode, errors } = await run()
  t.equal(exitCode, 0)
  t.match(local(errors), /^openapi\.yaml:5:\d+ GET \/a cannot answer with status 600 \(warning\)\n/m)
})

t.test('an error of the contract is printed with its line and counted', async (t) => {
  const { run, local } = prepare(t, { 'openapi.yaml': `${contract}security:\n  - bearer: []\n` })
  const { exitCode, output, errors } = await run()
  t.equal(exitCode, 1)
  t.equal(output, '')
  t.match(
    local(errors),
    /^openapi\.yaml:7:5 security scheme bearer is not declared .*\n {2}7 \| {3}- bearer/m
  )
  t.match(errors, /\n\none error; nothing was written\n$/)
})

t.test('--format writes what is wrong for other programs, and nothing else', async (t) => {
  const { folder, run } = prepare(t, {
    'openapi.yaml': `${contract.replace('204', '600')}security: [{ x: [] }]\n`
  })
  const json = await run({ format: 'json' })
  t.match(json, { exitCode: 1, errors: '' })
  t.match(JSON.parse(json.output).problems, [
    { level: 'warning', rule: 'response', operation: null, line: 5 },
    { level: 'error', rule: 'security', line: 6, message: /^security scheme x is not declared/ }
  ])
  t.match(
    (await run({ format: 'github' })).output,
    /^::warning file=.*\/openapi\.yaml,line=5,.*\n::error file=.*,title=security::security scheme x /
  )
  t.match(JSON.parse((await run({ format: 'sarif' })).output).runs[0].results, [
    { ruleId: 'response' },
    { ruleId: 'security' }
  ])
  t.match(
    (await run({ format: 'junit' })).output,
    '<testsuites name="generate" tests="1" failures="1" errors="0">'
  )
  t.match((await run({ format: 'markdown' })).output, /^### 2 problems\n\n- \*\*GET /)
  await writeFile(join(folder, 'openapi.yaml'), contract)
  t.match(await run({ format: 'markdown' }), {
    exitCode: 0,
    output: '### The contract has no problem\n\n',
    errors: ''
  })
  t.match(
    (await run({ format: 'junit', check: true })).output,
    '<testcase classname="generate" name="the contract"/>'
  )
  await writeFile(join(folder, 'openapi.yaml'), `${contract}${get('b')}`)
  const stale = await run({ format: 'github', check: true })
  t.equal(stale.exitCode, 1)
  t.match(stale.output, /title=generated::.*out\/types\.ts is not what the contract compiles to\n/)
})

t.test('several errors are counted', async (t) => {
  const { run } = prepare(t, {
    'openapi.yaml': `${contract}security: [{ x: [] }, { y: [] }]\n`
  })
  t.match((await run()).errors, /\n\n2 errors; nothing was written\n$/)
})

for (const [what, options, message] of [
  [
    'a contract that is missing',
    { contract: 'nope.yaml' },
    'nope.yaml cannot be read: there is no such file; '
  ],
  ['a contract that is a folder', { contract: 'folder' }, 'folder cannot be read: it is not a file; '],
  [
    'an output folder that is a file',
    { out: 'file' },
    'nothing was written: file: there is a file where the folder '
  ],
  [
    'an output folder below a file',
    { out: 'file/x' },
    'nothing was written: file/x: there is a file where a folder '
  ]
] as const) {
  t.test(`${what} is one sentence`, async (t) => {
    const { folder, run, local } = prepare(t, { folder: {}, file: '' })
    const paths = Object.entries(options).map(([name, path]) => [name, join(folder, path)])
    const { exitCode, output, errors } = await run(Object.fromEntries(paths))
    t.match({ exitCode, output }, { exitCode: 1, output: '' })
    t.ok(local(errors).startsWith(message), local(errors))
    t.equal(errors.split('\n').length, 2)
  })
}

t.test('a folder that cannot be made is named', async (t) => {
  const { run } = prepare(t, {})
  const { errors } = await run({ out: '/proc/x/y' })
  t.match(
    errors,
    /^nothing was written: \/proc\/x: no folder can be made there; --out names another \(ENOENT\)\n$/
  )
})

t.test('the working directory is named by a dot, and any other error by its own message', async (t) => {
  const { run, folder } = prepare(t, {})
  t.match((await run({ contract: process.cwd() })).errors, /^\. cannot be read: it is not a file; /)
  t.match((await run({ out: join(folder, 'x'.repeat(300)) })).errors, /^nothing was written: ENAMETOOLONG: /)
})

t.test('a defect of the compiler keeps its stack', async (t) => {
  const { run } = prepare(t, {})
  await t.rejects(run({ out: 'a\0b' }), { code: 'ERR_INVALID_ARG_VALUE' })
})

t.test('a warning of many places is one line, and an error with --strict', async (t) => {
  const { run } = prepare(t, {
    'openapi.yaml': `${contract}components: { schemas: { A: { enum: [] }, B: { enum: [] }, C: { enum: [] } } }\n`
  })
  const lenient = await run()
  t.equal(lenient.exitCode, 0)
  t.match(lenient.errors, /`enum` is empty: no value fits \(and at 2 other places\) \(warning\)\n/)
  const strict = await run({ strict: true })
  t.equal(strict.exitCode, 1)
  t.match(
    strict.errors,
    /`enum` is empty: no value fits \(and at 2 other places\)\n[\s\S]*\n3 errors; nothing was written\n$/
  )
})

/** Contracts with many warnings of one kind, the lines that stand for them, and the number of warnings. */
const floods: readonly (readonly [what: string, text: string, lines: readonly RegExp[], count: number])[] = [
  [
    'operations without a name',
    `${head}${['a', 'b', 'c'].map((id) => get(id).replace(/operationId: ., /, '')).join('')}`,
    [/ GET \/a has no operationId: .* \(the first of 3 operations\) \(warning\)$/],
    3
  ],
  [
    'paths that are ambiguous',
    `${head}${['a/{x}', '{y}/b', '{z}/c']
      .map((path) =>
        get('o')
          .replace('/o:', `/${path}:`)
          .replace(
            'operationId: o',
            `operationId: ${path.replaceAll(/\W/g, '')}, parameters: [{ name: ${path.replaceAll(/^.*\{|\}.*$/g, '')}, in: path, required: true, schema: {} }]`
          )
      )
      .join('')}`,
    [/Found two ambiguous paths: .* \(the first of 2 pairs of paths\) \(warning\)$/],
    2
  ]
]

for (const [what, text, lines, count] of floods)
  t.test(`${what} are one line, and each a line with --all-warnings`, async (t) => {
    const { run } = prepare(t, { 'openapi.yaml': text })
    const heads = (errors: string) => errors.split('\n').filter((line) => line.endsWith('(warning)'))
    const found = heads((await run()).errors)
    t.equal(found.length, lines.length, found.join('\n'))
    for (const [index, line] of lines.entries()) t.match(found[index], line)
    t.equal(heads((await run({ allWarnings: true })).errors).length, count)
  })

t.test('warnings that are left out are counted beside the option that shows them', async (t) => {
  const schemas = Array.from({ length: 15 }, (_, index) => `S${index}: { enum: [a${index}, a${index}] }`)
  const { run } = prepare(t, { 'openapi.yaml': `${contract}components: { schemas: { ${schemas} } }\n` })
  t.match((await run()).errors, /… and \d+ more warnings: --all-warnings lists them\n/)
})
