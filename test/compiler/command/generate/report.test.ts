/** Output of a run: problems with their source lines, and what has changed. */
import { join } from 'node:path'
import t from 'tap'
import { type Paint, paintFor } from '../../../../src/cli/format.ts'
import { changesOf, formatChanges, formatReport } from '../../../../src/compiler/command/generate/report.ts'
import type { ContractProblem } from '../../../../src/contract/diagnostics/problem.ts'
import type { JsonObject } from '../../../../src/contract/model/json.ts'

const lines = ['openapi: 3.1.0', '\tx: \u001b[31m', `${'a'.repeat(300)}!${'b'.repeat(300)}`]
const folder = t.testdir({ 'openapi.yaml': lines.join('\r\n') })
const file = join(folder, 'openapi.yaml')
const problem = (line: number, column: number, rest: Partial<ContractProblem> = {}): ContractProblem => ({
  severity: 'error',
  file,
  line,
  column,
  message: 'is wrong',
  ...rest
})
const report = (...problems: ContractProblem[]) => formatReport(problems, { folder, paint: paintFor({}, {}) })

t.test('a problem is printed with its place, its source line and a caret', async (t) => {
  t.equal(report(problem(1, 10)), 'openapi.yaml:1:10 is wrong\n  1 | openapi: 3.1.0\n    |          ^')
  const controls = report(problem(2, 5))
  t.equal(controls, 'openapi.yaml:2:5 is wrong\n  2 |  x: �[31m\n    |     ^', 'control characters')
  const [, line = '', caret = ''] = report(problem(3, 301)).split('\n')
  t.ok(line.length < 120, 'a long line is cut around the caret')
  t.equal(line[caret.indexOf('^')], '!')
  t.equal(report(problem(9, 1)), 'openapi.yaml:9:1 is wrong', 'a line that does not exist')
  const paint: Paint = (style, text) => `<${style}>${text}</>`
  t.match(
    formatReport([problem(1, 1), problem(1, 1, { severity: 'warning' })], { folder, paint }),
    /^<bold>openapi.yaml:1:1<\/> <red>is wrong<\/>[\s\S]*<yellow>\(warning\)<\/>\n.*\n.*<yellow>\^<\/>$/
  )
})

t.test('errors come first, at most twenty, then at most ten warnings, each with its line', async (t) => {
  const warnings = Array.from({ length: 14 }, (_, index) => problem(1, index + 1, { severity: 'warning' }))
  const lines = report(...warnings, problem(1, 1)).split('\n')
  t.equal(lines.length, 34)
  t.equal(lines[0], 'openapi.yaml:1:1 is wrong')
  t.strictSame(lines.slice(3, 6), ['openapi.yaml:1:1 is wrong (warning)', '  1 | openapi: 3.1.0', '    | ^'])
  t.equal(lines[33], '… and 4 more warnings')
  t.equal(report(...warnings.slice(0, 11)).split('\n').length, 33, 'a single one is shown, not counted')
  const errors = report(...Array.from({ length: 25 }, (_, index) => problem(9, index + 1))).split('\n')
  t.strictSame([errors.length, errors[20]], [21, '… and 5 more errors'])
  const style = { severity: 'warning', rule: 'example' } as const
  const ordered = report(problem(1, 1, style), problem(1, 2, { severity: 'warning' }), problem(1, 3, style))
  t.strictSame(
    ordered.match(/^openapi.yaml:1:\d/gm)?.map((place) => place.at(-1)),
    ['2', '1', '3']
  )
})

t.test('changes share a line while they are short, twelve of each subject at most', async (t) => {
  const names = (count: number, prefix = 'Schema') =>
    Array.from({ length: count }, (_, index) => `+ ${prefix}${index}`)
  const of = (operations: string[], schemas: string[]) =>
    formatChanges(new Map(Object.entries({ operations, schemas })))
  t.equal(formatChanges(new Map()), 'nothing has changed')
  t.equal(of(['+ a', '- b'], ['+ A']), 'operations: + a, - b   schemas: + A')
  const long = of(names(4, 'aLongNameOfAnOperation'), ['+ Thing'])
  t.strictSame(long.split('\n').slice(1), ['schemas: + Thing'])
  for (const [count, end] of [
    [12, 'Schema11'],
    [13, 'Schema12'],
    [14, 'Schema11, and 2 more']
  ] as const)
    t.ok(formatChanges(new Map([['schemas', names(count)]])).endsWith(`, + ${end}`))
})

const contractOf = (maximum: number | bigint, others: JsonObject = {}): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {
    '/a': {
      post: {
        operationId: 'a',
        requestBody: { content: { 'application/json': { schema: { type: 'integer', maximum } } } },
        responses: { 200: { description: '' } }
      }
    }
  },
  ...others
})
const before = contractOf(2n ** 60n)

/** Documents before and after, and the sentences of the run. */
const rows: readonly (readonly [JsonObject | undefined, JsonObject, Readonly<Record<string, string[]>>])[] = [
  [
    undefined,
    contractOf(1, { servers: [{ url: '/v1' }], webhooks: { done: { post: { responses: {} } } } }),
    { 'first compile': ['there is no earlier contract to compare with'] }
  ],
  [
    before,
    contractOf(2n ** 60n + 1n),
    { compatible: ['POST /a body: maximum now 1152921504606846977 (was 1152921504606846976)'] }
  ],
  [before, { ...before, paths: {} }, { breaking: ['POST /a is gone'] }],
  [
    before,
    contractOf(2n ** 60n, { tags: [{ name: 'new' }] }),
    { descriptions: ['changed; nothing that is sent or received has'] }
  ]
]

t.test('changes since the contract was compiled last', async (t) => {
  for (const [before, after, changes] of rows)
    t.strictSame(Object.fromEntries(await changesOf({ before, after })), changes)
})
