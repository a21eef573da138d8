/** Problems and their places; contracts are read as the service reads them, and JSON as YAML. */
import { join, resolve } from 'node:path'
import t from 'tap'
import { compileContract } from '../../src/compiler/compile/compile.ts'
import {
  addProblems,
  byCause,
  byCodeUnits,
  ContractError,
  type ContractProblem,
  contractError,
  formatProblem,
  reasonOf,
  withoutConsequences
} from '../../src/contract/diagnostics/problem.ts'
import { readReviewed } from '../../src/contract/diagnostics/reviewed-list.ts'
import { SourceFile } from '../../src/contract/diagnostics/source-file.ts'
import { isNearMiss } from '../../src/contract/diagnostics/spelling.ts'
import { parseOpenApi } from '../../src/engine/json/openapi-json.ts'

t.setTimeout(900_000)

const problem = (line: number, message: string, rest: Partial<ContractProblem> = {}): ContractProblem => ({
  ...{ severity: 'error', file: '/a.yaml', line, column: 1, message },
  ...rest
})
const messages = (problems: readonly ContractProblem[]) => problems.map(({ message }) => message)

t.test('problems with one cause become one problem, which counts the others', async (t) => {
  const problems = ['is wrong', 'is wrong', 'is old', 'is bad', 'is old', 'is old'].map((text, index) =>
    problem(index + 1, text)
  )
  t.strictSame(byCause(problems), [
    problem(1, 'is wrong (and at 1 other place)'),
    problem(3, 'is old (and at 2 other places)'),
    problem(4, 'is bad')
  ])
})

t.test('a folder in place of a contract is an error that names it', async (t) => {
  const folder = t.testdir({})
  const error = await compileContract(folder, join(folder, 'out')).catch((error: ContractError) => error)
  const found = (error as ContractError).problems.map((each) => formatProblem(each, folder))
  t.strictSame(found, [`${resolve(folder)}:1:1 the file cannot be read: it is not a regular file`])
})

t.test('consequences of errors are left out', async (t) => {
  const earlier = [problem(1, 'a'), problem(2, 'b', { severity: 'warning' })]
  const later = [problem(1, 'c'), problem(2, 'd'), problem(1, 'e', { file: '/other.yaml' })]
  t.strictSame(messages(addProblems(earlier, later)), ['a', 'b', 'd', 'e'], 'on the line of an earlier error')
  const warnings = [
    'POST /a has no operationId: x',
    'POST /a declares no response: x',
    'keyword `fromat` is not known'
  ]
  const unused = 'security scheme key is required by no operation: it has no handler'
  const all = [...warnings, unused].map((text) => problem(1, text, { severity: 'warning' }))
  t.strictSame(messages(withoutConsequences([...all, problem(2, unused)])), [warnings[2], unused])
})

t.test('an error that the contract did not cause is thrown on', async (t) => {
  const error = new ContractError([])
  t.equal(contractError(error), error)
  t.throws(() => contractError(new TypeError('a defect')), { constructor: TypeError, message: 'a defect' })
  t.equal(reasonOf(new RangeError('too deep')), 'too deep')
  t.equal(reasonOf('some packages throw texts'), 'some packages throw texts')
})

t.test('texts are ordered by code units, not by the alphabet of a language', async (t) => {
  const sorted = ['', 'I', 'Z', 'a', 'a', 'i', 'z', 'ä', 'õ', 'ı', '\u{10000}', '\uffff']
  t.strictSame(sorted.toReversed().sort(byCodeUnits), sorted)
})

t.test('a name is misspelt by case, hyphens, underscores or one edit', async (t) => {
  const misspelt =
    'requestbody request_body request-Body requestBdy requestBoddy requestBidy requestBoyd requestBod requestBodys equestBody'
  for (const name of misspelt.split(' ')) t.ok(isNearMiss(name, 'requestBody'), name)
  for (const pair of 'requetsBdoy:requestBody body:requestBody in:id nam:name x-type:type type:x-type'.split(
    ' '
  )) {
    const [written = '', meant = ''] = pair.split(':')
    t.notOk(isNearMiss(written, meant), pair)
  }
  for (const [written, meant] of [
    ['schema', '$schema'],
    ['sumary', 'summary']
  ] as const)
    t.notOk(isNearMiss(written, meant), written)
})

t.test('entries of a reviewed list have their places, and what is optional is a text', async (t) => {
  const read = (text: string) =>
    readReviewed(text, '/list.yaml', {
      keys: ['check', 'reason'],
      optional: ['message'],
      rule: 'every entry has a check',
      problemsOf: ({ check }) => (check === 'a' ? [] : ['there is no such check'])
    })
  const entry = { check: 'a', reason: 'b', message: 'c' }
  t.strictSame(read('- { check: a, reason: b, message: c }\n'), [
    { ...entry, file: '/list.yaml', line: 1, column: 3 }
  ])
  for (const [text, message] of [
    ['- { check: a, reason: b, message: [] }', 'message is not a text'],
    ['- { check: a }', 'reason is missing: every entry has a check'],
    ['- { check: b, reason: b }', 'there is no such check']
  ] as const)
    t.throws(() => read(text), { message: `/list.yaml:1:3 ${message}` })
})

const yaml = `base: &base
  limit: 0x20
  list: [a, b]
copy: *base
merged:
  <<: *base
  own: 1
several:
  <<: [*base, { other: 2 }]
empty:
"a/b": { c~d: 1 }
`
const places: readonly (readonly [path: string, line: number, column: number])[] = [
  ['', 1, 1],
  ['base', 1, 1],
  ['base limit', 2, 3],
  ['base list 1', 3, 13],
  ['copy', 4, 1],
  ['copy limit', 2, 3],
  ['merged own', 7, 3],
  ['merged limit', 2, 3],
  ['several other', 9, 17],
  ['several list 0', 3, 10],
  ['empty inside', 10, 1],
  ['base limit inside', 2, 3],
  ['a/b c~d', 11, 10],
  ['nowhere', 1, 1]
]

const fileOf = (text: string) => new SourceFile('/a.yaml', text)

t.test('parts of a YAML text have places', async (t) => {
  for (const text of [yaml, yaml.replaceAll('\n', '\r\n')])
    for (const [path, line, column] of places) {
      const keys = path === '' ? [] : path.split(' ')
      t.strictSame(fileOf(text).positionOf(keys), { line, column }, path)
    }
  const file = fileOf(yaml)
  for (const [path, line, column] of [
    ['base limit', 2, 10],
    ['copy', 4, 8],
    ['merged limit', 2, 10],
    ['empty', 10, 1],
    ['several', 9, 3],
    ['a/b c~d', 11, 15]
  ] as const)
    t.strictSame(file.positionOf(path.split(' '), false), { line, column }, `value of ${path}`)
  t.equal(file.spellingAt(['base', 'limit']), '0x20')
  t.equal(file.spellingAt(['merged', 'limit']), '0x20')
  t.equal(file.spellingAt(['base']), undefined)
  t.strictSame(file.namesAt(['merged']), ['<<', 'own'])
  t.strictSame(file.namesAt(['copy']), ['limit', 'list'])
})

t.test('the value of a scalar begins with its quote or sign', async (t) => {
  for (const text of ['a: "b"', "a: 'b'", 'a: | # c\n  b\n', 'a: >-\n  b\n', 'a: &c "b"'])
    t.strictSame(fileOf(text).positionOf(['a'], false), { line: 1, column: text.search(/["'|>]/) + 1 }, text)
})

const texts = [
  'a: [yes, no, on, null, ~, 0o17, 0x1F, 017, 1e3, .inf, .nan, 2024-01-01, 12:30]',
  'a: 9223372036854775807\nb: 1_000\nc: -9223372036854775808\nd: 0xFFFFFFFFFFFFFFFF\ne: 1e20',
  'a: &a { b: 1 }\nc: { <<: *a, d: 2 }\ne: *a',
  'a: !!set { b, c }\nd: !!omap [e: 1]\nf: !!pairs [g: 1, g: 2]',
  'a: !!str 1\nb: !!int "2"\nc: !!binary aG\n  k=\n',
  '{"a": [1e400, -0], "b"\n:2 }'
]

t.test('YAML is read as the service reads it', async (t) => {
  for (const text of texts) t.strictSame(fileOf(text).value, parseOpenApi(text), text)
  t.strictSame(fileOf('a: !!int -0xFFFFFFFFFFFFFFFF').value, { a: -(2 ** 64) })
  for (const text of ['', ' \n']) t.equal(fileOf(text).value, undefined)
  for (const text of ['# only a comment\n', '---\n...\n']) t.equal(fileOf(text).value, null)
})

const refused: readonly (readonly [text: string, line: number, column: number, message: string])[] = [
  ['a: 1\n---\nb: 2\n', 1, 1, 'expected a single document in the stream, but found more'],
  ['a: 1\na: 2', 2, 1, 'duplicated mapping key'],
  ['{"a": 1,\n "\\u0061": 2}', 2, 3, 'duplicated mapping key'],
  ['a: *missing', 1, 5, 'unidentified alias "missing"'],
  ['a: 1\nc: !own d', 2, 4, 'unknown scalar tag !<!own>'],
  ['a: !!binary aG', 1, 4, 'cannot resolve a node with !<tag:yaml.org,2002:binary> explicit tag'],
  ['a: [1, 2', 1, 9, 'unexpected end of the stream within a flow collection'],
  ['a: "open\nb: 1\n', 2, 1, 'deficient indentation, or a quote is open above'],
  ['a: b: c', 1, 5, 'bad indentation of a mapping entry'],
  ['a: \u0000', 1, 4, 'null byte is not allowed in input'],
  [`${'['.repeat(200)}${']'.repeat(200)}`, 1, 100, 'nesting exceeded maxDepth (100)']
]

t.test('what is not YAML is refused with its place', async (t) => {
  for (const [text, line, column, message] of refused)
    t.throws(() => fileOf(text), new ContractError([problem(line, message, { column })]), text.slice(0, 30))
})

const json = `
{ "text": "a \\"quoted\\": {\\\\", "escaped\\"name\\\\":{"é\\u00e9":"\\ud83d\\ude00"},
\t"list" : [ 1, -0.5e3 ,[], {"deep": [true , null, {"__proto__": "x"}]}, "]}" ],"" : {} ,
  "2": 2, "1": 9007199254740991,
  "<<": { "merged": false }
}
`

t.test('a text of JSON has its value and its places', async (t) => {
  const file = fileOf(json)
  t.strictSame(JSON.stringify(file.value), JSON.stringify(JSON.parse(json)))
  for (const [path, line, column] of [
    [['text'], 2, 3],
    [['escaped"name\\', 'éé'], 2, 51],
    [['list', '3', 'deep', '2', '__proto__'], 3, 52],
    [['list', '1'], 3, 16],
    [[''], 3, 80],
    [['1'], 4, 11],
    [['list', '9'], 3, 2]
  ] as const)
    t.strictSame(file.positionOf(path), { line, column }, path.join('/'))
})
