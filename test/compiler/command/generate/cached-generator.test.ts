/** A run compiles again after any single change of its inputs, its files or its compiler, and not without one. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { paintFor } from '../../../../src/cli/format.ts'
import {
  CachedGenerator,
  compilerDigest
} from '../../../../src/compiler/command/generate/cached-generator.ts'
import { type Options, runGenerate } from '../../../../src/compiler/command/generate/run.ts'
import { firstLine } from '../../../../src/engine/model.ts'

t.setTimeout(900_000)

const plain = paintFor({}, {})
const paints = { output: plain, errors: plain }
const formats = `import { defineFormat } from '@contract-first/engine/formats'
export const even = defineFormat('even', { check: (text: string) => text.length % 2 === 0 })
`
const contract = `openapi: 3.1.0
info: { title: T, version: "1" }
paths:
  /a:
    get:
      operationId: a
      responses: { '200': { description: d, content: { application/json: { schema: { $ref: 'b.yaml#/B' } } } } }
`
const files = {
  'openapi.yaml': contract,
  'b.yaml': 'B: { type: string, format: even, enum: [] }\n',
  'formats.ts': formats,
  'package.json': '{ "type": "module" }',
  'tsconfig.json': '{ "extends": "./base.json" }',
  'base.json': '{}',
  'handlers.ts': "export function createHandlers() {\n  return { 'a': 1 }\n}\n"
}

interface Setting {
  readonly options?: Partial<Options>
  readonly compiler?: () => string | undefined
  /** Is called in the middle of the compilation. */
  readonly during?: () => void
}

/** Returns a run that also counts what it compiles, and its folder. */
function prepare(t: Test) {
  const folder = t.testdir(files)
  const at = (name: string) => join(folder, name)
  const given: Options = {
    ...{ check: false, watch: false, stubs: false, strict: false, allWarnings: false, format: 'text' },
    ...{ contract: at('openapi.yaml'), formats: at('formats.ts'), out: at('out'), handlers: folder }
  }
  const run = async ({ options = {}, compiler = () => 'one', during }: Setting = {}) => {
    let compilations = 0
    const seen: string[] = []
    const chosen = { ...given, ...options }
    const result = await runGenerate(chosen, {
      paints,
      generator: new CachedGenerator(chosen, { cache: at('cache'), compiler }),
      onFile: (path) => seen.push(path),
      onPhase: (phase) => {
        if (phase === 'reading the contract') compilations++
        if (phase === 'writing the validators') during?.()
      }
    })
    const output = result.output.replace(/ in \d+ ms/, '')
    return { ...result, output, compilations, seen: [...new Set(seen)].sort() }
  }
  const record = async () => at(`cache/${(await readdir(at('cache')))[0]}`)
  return { given, at, run, record }
}

type Prepared = ReturnType<typeof prepare>

t.test('a run without a change prints what a compilation would, and compiles nothing', async (t) => {
  const { at, run } = prepare(t)
  t.match(await run(), { compilations: 1, output: /first compile/ })
  const compiled = await run({ compiler: () => 'two' })
  t.match(compiled, { compilations: 1, output: /nothing has changed/, errors: /enum/ })
  const unchanged = await run({ compiler: () => 'two' })
  t.strictSame(unchanged, { ...compiled, compilations: 0 })
  t.strictSame(
    unchanged.seen,
    [at('b.yaml'), at('formats.ts'), at('openapi.yaml')],
    'a watcher sees all files'
  )
  await utimes(at('openapi.yaml'), 0, 0)
  const check = await run({ compiler: () => 'two', options: { check: true } })
  t.match(check, { compilations: 0, exitCode: 0, output: /is up to date/ })
})

t.test('--strict refuses the warnings of a compilation that it does not repeat', async (t) => {
  const { run } = prepare(t)
  const options = { strict: true }
  const compiled = await run({ options })
  t.match(compiled, { compilations: 1, exitCode: 1 })
  t.match(await run(), { compilations: 1, exitCode: 0 })
  t.strictSame(await run({ options }), { ...compiled, compilations: 0 })
})

const appended = (name: string) =>
  [`a byte of ${name}`, ({ at }: Prepared) => appendFile(at(name), '\n')] as const

/** Changes of one byte, file or option. */
const changes: readonly (readonly [
  what: string,
  change: ((given: Prepared) => Promise<unknown>) | undefined,
  setting?: Setting
])[] = [
  ...['openapi.yaml', 'b.yaml', 'formats.ts', 'tsconfig.json', 'base.json', 'package.json'].map(appended),
  appended('out/validators.js'),
  ['settings of TypeScript that were missing', ({ at }) => writeFile(at('out/tsconfig.json'), '{}')],
  ['a generated file that is gone', ({ at }) => rm(at('out/types.ts'))],
  ['all generated files', ({ at }) => rm(at('out'), { recursive: true })],
  ['a file of an earlier generation', ({ at }) => writeFile(at('out/types.js'), firstLine)],
  ['a staging folder', ({ at }) => mkdir(at('out/.generate-x'))],
  ['another folder for references', undefined, { options: { root: '/' } }],
  ['other handlers', undefined, { options: { handlers: '/' } }],
  ['another compiler', undefined, { compiler: () => 'two' }],
  ['no known compiler', undefined, { compiler: () => undefined }],
  ['no record', ({ at }) => rm(at('cache'), { recursive: true })],
  [
    'a record that is cut',
    async ({ record }) => truncate(await record(), (await stat(await record())).size - 1)
  ],
  [
    'a record with another byte',
    async ({ record }) =>
      writeFile(await record(), (await readFile(await record(), 'utf8')).replace('"T"', '"U"'))
  ]
]

for (const [what, change, setting] of changes)
  t.test(`a run compiles after a change: ${what}`, async (t) => {
    const given = prepare(t)
    await given.run()
    t.match(await given.run(), { compilations: 0 })
    await change?.(given)
    t.match(await given.run(setting), { compilations: 1 })
  })

const after = (change: () => void): Setting => {
  change()
  return {}
}

const compilesAlways: readonly (readonly [what: string, setting: (given: Prepared) => Setting])[] = [
  ['a file changes meanwhile', ({ at }) => ({ during: () => appendFileSync(at('b.yaml'), '\n') })],
  ['a setting changes meanwhile', ({ at }) => ({ during: () => appendFileSync(at('base.json'), '\n') })],
  ['the code of the compiler changes meanwhile', () => ({ compiler: versions('one', 'two') })],
  ['no file may be written to the cache', ({ at }) => after(() => writeFileSync(at('cache'), ''))],
  [
    'the formats import a file',
    ({ at }) => after(() => appendFileSync(at('formats.ts'), "import './handlers.ts'\n"))
  ]
]

/** Returns a function that returns the first text once, and then the second. */
const versions = (first: string, second: string) => {
  const left = [first]
  return () => left.pop() ?? second
}

for (const [what, setting] of compilesAlways)
  t.test(`a compilation is not remembered when ${what}`, async (t) => {
    const given = prepare(t)
    t.match(await given.run(setting(given)), { exitCode: 0, compilations: 1 })
    t.match(await given.run(), { exitCode: 0, compilations: 1 })
  })

t.test('handlers are reported anew when their list has changed', async (t) => {
  const { at, run } = prepare(t)
  await run()
  await writeFile(at('handlers.ts'), files['handlers.ts'].replace("'a': 1", ''))
  t.match(await run(), { compilations: 0, output: /operation a has no handler/ })
  t.match(await run(), { compilations: 0, output: /operation a has no handler/ })
  await writeFile(at('handlers.ts'), files['handlers.ts'])
  t.match(await run(), { compilations: 0, output: /nothing has changed/ })
})

t.test('a process that stays warms up once, after a run that compiled nothing', async (t) => {
  const { given, at, run, record } = prepare(t)
  await run()
  const kept = await readFile(await record())
  const generator = new CachedGenerator(given, { cache: at('cache'), compiler: () => 'one' })
  const phases: string[] = []
  await generator.generate({})
  await generator.warmUp((phase) => phases.push(phase))
  t.equal(phases[0], 'reading the contract')
  t.equal(generator.warmUp(), undefined)
  t.same(await readFile(await record()), kept)
  await writeFile(at('openapi.yaml'), 'wrong')
  const another = new CachedGenerator(given, { cache: at('cache'), compiler: () => 'one' })
  t.equal(await another.warmUp(), undefined, 'errors are for the next run')
  await t.rejects(another.generate({}), { name: 'ContractError' })
  t.equal(another.warmUp(), undefined, 'a run has compiled')
})

t.test('the compiler is known by its code and the list of its libraries', async (t) => {
  const folder = t.testdir({ node_modules: { '.package-lock.json': '{}' }, compiler: { 'a.ts': '1' } })
  const code = [join(folder, 'compiler')]
  const first = compilerDigest(code)
  t.match(first, /^[\w-]{43}$/)
  t.equal(compilerDigest(code), first)
  await writeFile(join(folder, 'compiler/a.ts'), '2')
  const second = compilerDigest(code)
  t.not(second, first, 'a file of the same size')
  await writeFile(join(folder, 'node_modules/.package-lock.json'), '[]')
  t.not(compilerDigest(code), second, 'an installation')
  t.equal(compilerDigest(['/nowhere']), undefined, 'no list')
  t.equal(compilerDigest(), compilerDigest())
})
