/** Problems and their places; YAML is read as Redocly reads it, and JSON as YAML. */
import { join, resolve } from 'node:path'
import { BaseResolver, parseYaml, Source, type YamlParseError } from '@redocly/openapi-core'
import t from 'tap'
import { compileContract } from '../../src/compiler/compile/compile.ts'
import { jsonValue } from '../../src/contract/diagnostics/json-text.ts'
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
import {
  locateAsJson,
  namesAt,
  positionOf,
  spellingAt
} from '../../src/contract/diagnostics/source-position.ts'
import { isNearMiss } from '../../src/contract/diagnostics/spelling.ts'
import { YamlError, yamlValue } from '../../src/contract/diagnostics/yaml-text.ts'

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

t.test('parts of a YAML text have places', async (t) => {
  for (const text of [yaml, yaml.replaceAll('\n', '\r\n')])
    for (const [path, line, column] of places) {
      const keys = path === '' ? [] : path.split(' ')
      t.strictSame(positionOf(new Source('/contract.yaml', text), keys), { line, column }, path)
    }
  const source = new Source('/contract.yaml', yaml)
  t.strictSame(positionOf(source, ['base', 'limit'], false), { line: 2, column: 10 }, 'of a value')
  t.equal(spellingAt(source, ['base', 'limit']), '0x20')
  t.equal(spellingAt(source, ['merged', 'limit']), '0x20')
  t.not(typeof spellingAt(source, ['base']), 'string')
  const binary = new Source('/binary.yaml', 'a: !!binary aGk=\nb: { c: 1 }\n')
  t.strictSame(positionOf(binary, ['b', 'c']), { line: 2, column: 6 })
  const unreadable = new Source('/unreadable.yaml', 'a: !<tag:yaml.org,2002:binary> aGk=\nb: 1\n')
  t.strictSame(positionOf(unreadable, ['b']), { line: 1, column: 1 })
})

const texts = [
  ...[
    '',
    ' \n',
    '# only a comment\n',
    '---\n...\n',
    'a: 1\n---\nb: 2\n',
    '!!binary aGk=',
    'a: 1\na: 2',
    'a: *missing'
  ],
  'a: [yes, no, on, null, ~, 0o17, 0x1F, 017, 1e3, .inf, .nan, 2024-01-01, 12:30]',
  'a: 9223372036854775807\nb: 1_000',
  'a: &a { b: 1 }\nc: { <<: *a, d: 2 }\ne: *a',
  'a: !!set { b, c }\nd: !!omap [e: 1]\nf: !!pairs [g: 1, g: 2]',
  'a: !!str 1\nb: !!int "2"\nc: !own d',
  ...['a: [1, 2', 'a: "open\nb: 1\n', 'a:\n  - b\n c: d', 'a: b: c', '\ta: 1', 'a: \u0000'],
  `${'['.repeat(200)}${']'.repeat(200)}`
]

t.test('YAML is read as Redocly reads it', async (t) => {
  for (const text of texts) t.strictSame(ours(text), redoclys(text), text.slice(0, 30))
})

function ours(text: string): unknown {
  try {
    return yamlValue({ absoluteRef: '/a.yaml', body: text })
  } catch (error) {
    t.type(error, YamlError)
    const { message, position } = error as YamlError
    return { reason: message.replace(', or a quote is open above', ''), ...position }
  }
}

function redoclys(text: string): unknown {
  try {
    return new BaseResolver().parseDocument(new Source('/a.yaml', text)).parsed
  } catch (error) {
    const { message, line, col } = error as YamlParseError
    return { reason: message.split(' in "/a.yaml"')[0], line: line || 1, column: col || 1 }
  }
}

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

t.test('texts that are left to the parser of YAML', async (t) => {
  const left = ['{"a": 1, "a": 2}', '{"a": 1, "\\u0061": 2}', '{"a": [1e400]}', '{"a": 1} # one', 'a: 1', '']
  for (const text of [...left, `{"a": ${nested(90)}}`]) t.equal(jsonValue(text), undefined, text)
})

const json = `
{ "text": "a \\"quoted\\": {\\\\", "escaped\\"name\\\\":{"é\\u00e9":"\\ud83d\\ude00"},
\t"list" : [ 1, -0.5e3 ,[], {"deep": [true , null, {"__proto__": "x"}]}, "]}" ],"" : {} ,
  "2": 2, "1": 9007199254740993,
  "<<": { "merged": false }
}
`
const pathsIn = (value: unknown): string[][] => [
  [],
  ...Object.entries(Object(typeof value === 'string' ? {} : value)).flatMap(([key, member]) =>
    pathsIn(member).map((path) => [key, ...path])
  )
]

t.test('a text of JSON has the value, the places and the spellings that it has as YAML', async (t) => {
  t.strictSame(jsonValue(json), parseYaml(json))
  t.strictSame(JSON.stringify(jsonValue(json)), JSON.stringify(parseYaml(json)))
  t.strictSame(jsonValue(`{"a": ${nested(70)}}`), parseYaml(`{"a": ${nested(70)}}`))
  const [asYaml, asJson] = [new Source('/a.json', json), new Source('/b.json', json)]
  locateAsJson(asJson)
  const paths = pathsIn(jsonValue(json))
  t.ok(paths.length > 15)
  const of = (source: Source, path: string[]) => [
    ...[
      positionOf(source, path),
      positionOf(source, path, false),
      spellingAt(source, path),
      namesAt(source, path)
    ]
  ]
  for (const path of [...paths, ['merged'], ['nowhere'], ['text', 'inside'], ['list', '9']])
    t.strictSame(of(asJson, path), of(asYaml, path), path.join('/'))
})
