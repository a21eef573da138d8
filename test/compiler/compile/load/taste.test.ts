import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Test, test } from 'tap'
import type { ContractProblem } from '../../../../src/compiler/compile/diagnostics/problem.ts'
import { ContractFolder } from '../../../../src/compiler/compile/load/contract-folder.ts'
import { loadContract } from '../../../../src/compiler/compile/load/load.ts'
import { readTaste } from '../../../../src/compiler/compile/load/taste.ts'
import { compileContract } from '../../../../src/compiler/compiler.ts'

const contract = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get: { operationId: a, responses: { default: { description: done } } }
components: { schemas: { Unused: { type: string } } }
`

const rulesOf = (text: string) => `rules:
${text}`

const subject = (type: string, property: string) => `{ type: ${type}, property: ${property} }`
const summaries = (more: string, assertions = '{ defined: true }') =>
  `  rule/summaries: { subject: ${subject('Operation', 'summary')}, assertions: ${assertions}${more} }`

interface HouseRow {
  readonly name: string
  /** Files beside the contract; `redocly.yaml` itself as `house`. */
  readonly house?: string
  readonly files?: Readonly<Record<string, string>>
  readonly warnings: readonly RegExp[]
  /** Problems that fail: `line:column message`. */
  readonly errors?: readonly RegExp[]
}

const rows: readonly HouseRow[] = [
  { name: 'without a file: only what may be a mistake', warnings: [/never used/] },
  { name: 'a rule is switched off', house: rulesOf('  no-unused-components: off'), warnings: [] },
  {
    name: 'rules are switched on, as warnings and as errors',
    house: rulesOf('  operation-summary: warn\n  info-license: { severity: error }'),
    warnings: [/summary/, /never used/],
    errors: [/^openapi\.yaml:2:\d+ Info object should contain `license` field/]
  },
  {
    name: 'a rule that is misspelt',
    house: rulesOf('  operation-sumary: warn'),
    warnings: [/^there is no rule operation-sumary; did you mean operation-summary\?$/, /never used/]
  },
  {
    name: 'a rule that the compiler decides is no less than an error',
    house: rulesOf('  no-unresolved-refs: off\n  struct: error'),
    warnings: [/^the compiler decides no-unresolved-refs itself$/, /never used/]
  },
  {
    name: 'a file that is not YAML',
    house: 'rules: [',
    warnings: [/^rules are as without this file: /, /never used/]
  },
  {
    name: 'a rule of the house is an error by itself',
    house: rulesOf(summaries('')),
    warnings: [/never used/],
    errors: [/^openapi\.yaml:5:10 .*Operation summary.*Should be defined/]
  },
  {
    name: 'a rule of the house that is a warning, with a message of its own',
    house: rulesOf(summaries(', severity: warn, message: Say what it does')),
    warnings: [/^Say what it does$/, /never used/]
  },
  {
    name: 'a rule that OpenAPI does not ask for',
    house: rulesOf('  operation-operationId-url-safe: error\n  no-unused-components: error'),
    warnings: [],
    errors: [/^openapi\.yaml:6:26 Component: "Unused" is never used/]
  },
  {
    name: 'rules of the house with mistakes are named, and the others are checked',
    house: rulesOf(
      `${summaries('')}\n  rule/b: { subject: ${subject('Operatio', 'a')}, assertions: { defined: true } }\n  rule/c: { subject: a }\n  rule/d: { subject: ${subject('Info', 'title')}, assertions: { nonsense: true } }\n  info-license: fatl`
    ),
    warnings: [
      /"Operatio" is not a valid value.*: rule\/b is not checked$/,
      /assertions.*: rule\/c is not checked$/,
      /Subject.*: rule\/c is not checked$/,
      /`nonsense` is not expected here: rule\/d is not checked$/,
      /: info-license is not checked$/,
      /never used/
    ],
    errors: [/Should be defined/]
  },
  {
    name: 'a rule that cannot be run fails',
    house: rulesOf(
      `  rule/a: { subject: ${subject('Operation', 'operationId')}, assertions: { pattern: '/(/' } }`
    ),
    warnings: [],
    errors: [/^redocly\.yaml:1:1 the rules of this file cannot be checked: Invalid regular expression/]
  },
  {
    name: 'a rule that cannot be run and is a warning',
    house: rulesOf(
      `  rule/a: { subject: ${subject('Operation', 'operationId')}, severity: warn, assertions: { pattern: '/(/' } }`
    ),
    warnings: [/^the rules of this file cannot be checked: Invalid regular expression/]
  },
  {
    name: 'what the file extends, and what it says itself',
    house: `extends: [./rules/house.yaml]\n${rulesOf('  no-unused-components: off')}`,
    files: { 'rules/house.yaml': rulesOf(`${summaries('')}\n  no-unused-components: error`) },
    warnings: [],
    errors: [/Should be defined/]
  },
  {
    name: 'one configuration of the linter',
    house: `extends: recommended-strict\n${rulesOf('  info-license: off\n  no-server-example.com: off\n  no-empty-servers: off\n  operation-2xx-response: off\n  operation-4xx-response: off\n  operation-summary: off')}`,
    warnings: [],
    errors: [/never used/]
  },
  {
    name: 'what is not read is named',
    house: `extends: [strange, 'https://a.example/b.yaml', ./none.yaml, ./round.yaml]\nplugins: [./mine.js]\napis: {}\ndecorators: {}\noas3_1Rules: {}\n${rulesOf('  mine/rule: error')}`,
    files: { 'round.yaml': 'extends: [./round.yaml]', 'mine.js': 'throw new Error("run")' },
    warnings: [
      /^there is no configuration strange$/,
      /^https:\/\/a\.example\/b\.yaml is not read: only files beside the contract are$/,
      /^there is no such file$/,
      /^\.\/round\.yaml is not read/,
      /^plugins are programs, which are not run: /,
      /^rules of single APIs are not read: /,
      /^decorators change the contract/,
      /^oas3_1Rules is not read: /,
      /^mine\/rule is a rule of a plugin, which is not run$/,
      /never used/
    ]
  },
  {
    name: 'a file that it extends and that is not YAML',
    house: 'extends: [./broken.yaml]',
    files: { 'broken.yaml': 'rules: [' },
    warnings: [/^its rules are not read: /, /never used/]
  }
]

const placed = ({ file, line, column, message }: ContractProblem): string =>
  `${basename(file)}:${line}:${column} ${message}`

const matchAll = (t: Test, found: readonly string[], wanted: readonly RegExp[]) => {
  t.equal(found.length, wanted.length, found.join('\n'))
  for (const each of wanted)
    t.ok(
      found.some((text) => each.test(text)),
      `${each}\n${found.join('\n')}`
    )
}

for (const { name, house, files = {}, warnings, errors = [] } of rows) {
  test(name, async (t) => {
    const folder = t.testdir({})
    for (const [path, text] of Object.entries({
      'openapi.yaml': contract,
      ...(house !== undefined && { 'redocly.yaml': house }),
      ...files
    })) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const { problems } = await loadContract(`${folder}/openapi.yaml`)
    const of = (severity: string) => problems.filter((each) => each.severity === severity)
    matchAll(
      t,
      of('warning').map(({ message }) => message),
      warnings
    )
    matchAll(t, of('error').map(placed), errors)
  })
}

test('what the house calls an error fails the compiler', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': contract, 'redocly.yaml': rulesOf(summaries('')) })
  const failed = await compileContract(`${folder}/openapi.yaml`, `${folder}/out`).catch((error) => error)
  t.match(failed.problems, [{ severity: 'error', line: 5, column: 10 }])
})

test('a misspelt rule has its place, and a watcher sees the file before it is there', async (t) => {
  const folder = t.testdir({ 'redocly.yaml': 'extends: [minimal]\nrules:\n  nothing-like-it: off\n' })
  const watched: string[] = []
  const { problems } = await readTaste(`${folder}/redocly.yaml`, new ContractFolder(folder), (path) =>
    watched.push(path)
  )
  t.match(problems, [{ severity: 'warning', file: `${folder}/redocly.yaml`, line: 3, column: 3 }])
  t.strictSame(watched, [`${folder}/redocly.yaml`])
})

test('the contracts of this project, and that of the README, have no warning', async (t) => {
  const [, pets = ''] = /```yaml\n(openapi:[\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
  const folder = t.testdir({ 'pets.yaml': pets })
  for (const path of ['openapi.yaml', `${folder}/pets.yaml`]) {
    const { problems } = await compileContract(path, `${folder}/out`)
    t.strictSame(problems, [], path)
  }
})
