/** Values of files: byte strings, and bounds of what aliases repeat: a file of a kilobyte must not become gigabytes. */
import t from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { withBase64 } from '../../../src/contract/load/file-resolver.ts'

const head = `openapi: 3.1.0
info: { title: Things, version: '1' }
paths: {}
`

const doubled = (leaf: string, wrap: (alias: string) => string, levels: number): string =>
  Array.from({ length: levels }, (_, level) =>
    level === 0 ? `  a0: &a0 ${leaf}\n` : `  a${level}: &a${level} ${wrap(`*a${level - 1}`)}\n`
  ).join('')

const nine = (alias: string): string => `[${Array(9).fill(alias).join()}]`
const members = (alias: string): string => `{ a: ${alias}, b: ${alias}, c: ${alias} }`

const repeats = /with its aliases replaced, this part repeats more than 4 MiB/
const levels = /with its aliases replaced, this part has more than 200 levels/

for (const [what, text, place] of [
  ['nine levels of nine', `x-a:\n${doubled('[1]', nine, 10)}`, repeats],
  ['members', `x-a:\n${doubled('{ a: 1 }', members, 20)}`, repeats],
  [
    'a long text',
    `x-text: &text ${'y'.repeat(100_000)}\nx-a: [${Array(100).fill('*text').join()}]\n`,
    repeats
  ],
  ['a chain', `x-a:\n${doubled('[1]', (alias) => `[${alias}]`, 2000)}`, levels],
  ['a cycle', 'x-a: &a { properties: { a: *a } }\n', levels],
  ['a long cycle', 'x-a: &a [[*a], { b: &b [*a, *b] }]\n', levels]
] as const)
  t.test(`aliases: ${what}`, async (t) => {
    const folder = t.testdir({ 'openapi.yaml': head + text })
    const error = {
      message: place,
      problems: [{ severity: 'error', file: `${folder}/openapi.yaml`, message: place }]
    }
    const compiled = compileContract(`${folder}/openapi.yaml`, `${folder}/out`)
    await t.rejects(compiled, error)
    t.ok(await compiled.catch(({ problems: [{ line }] }) => line > 3), 'the place is the alias')
  })

t.test('a part of a contract is bounded, too', async (t) => {
  const folder = t.testdir({
    'openapi.yaml': `${head}components: { schemas: { A: { $ref: part.yaml } } }\n`,
    'part.yaml': `x-a:\n${doubled('[1]', nine, 10)}`
  })
  const compiled = compileContract(`${folder}/openapi.yaml`, `${folder}/out`)
  await t.rejects(compiled, { message: /part.yaml:\d+:3 .*this part repeats/ })
})

t.test('a contract without aliases has any size, and aliases may repeat a lot', async (t) => {
  const list = Array.from({ length: 20_000 }, (_, index) => `v${index}${'x'.repeat(40)}`)
  const shared = Array.from({ length: 500 }, (_, index) => `  r${index}: *shared\n`).join('')
  const text = `x-list: [${list.join()}]\nx-shared: &shared { a: ${'y'.repeat(4000)} }\nx-a:\n${shared}`
  const folder = t.testdir({ 'openapi.yaml': head + text })
  t.match(await compileContract(`${folder}/openapi.yaml`, `${folder}/out`), { problems: [] })
})

const bytes = new TextEncoder().encode('hello')

t.test('byte strings become Base64 at any depth', async (t) => {
  t.equal(withBase64(bytes), 'aGVsbG8=')
  t.strictSame(withBase64({ a: [bytes, { b: bytes }], c: 1, d: null }), {
    a: ['aGVsbG8=', { b: 'aGVsbG8=' }],
    c: 1,
    d: null
  })
})

t.test('a cycle of YAML aliases ends the walk', async (t) => {
  const cycle: Record<string, unknown> = { a: bytes }
  cycle['self'] = cycle
  withBase64(cycle)
  t.equal(cycle['a'], 'aGVsbG8=')
})
