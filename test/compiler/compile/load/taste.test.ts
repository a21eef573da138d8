import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { ContractFolder } from '../../../../src/compiler/compile/load/contract-folder.ts'
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

const rows: { name: string; rules?: string; warnings: RegExp[] }[] = [
  { name: 'without a file: only what may be a mistake', warnings: [/never used/] },
  { name: 'a rule is switched off', rules: rulesOf('  no-unused-components: off'), warnings: [] },
  {
    name: 'rules are switched on',
    rules: rulesOf('  operation-summary: warn\n  info-license: { severity: error }'),
    warnings: [/license/, /summary/, /never used/]
  },
  {
    name: 'a rule that is misspelt',
    rules: rulesOf('  operation-sumary: warn'),
    warnings: [/^there is no rule of taste operation-sumary; did you mean operation-summary\?$/, /never used/]
  },
  {
    name: 'a rule that the compiler decides',
    rules: rulesOf('  no-unresolved-refs: off'),
    warnings: [/^there is no rule of taste no-unresolved-refs$/, /never used/]
  },
  {
    name: 'a file that is not YAML',
    rules: 'rules: [',
    warnings: [/^rules are as without this file: /, /never used/]
  }
]

for (const { name, rules, warnings } of rows) {
  test(name, async (t) => {
    const files = { 'openapi.yaml': contract, ...(rules === undefined ? {} : { 'redocly.yaml': rules }) }
    const folder = t.testdir(files)
    const { problems } = await compileContract(`${folder}/openapi.yaml`, `${folder}/out`)
    const messages = problems.map(({ message }) => message).sort()
    t.equal(messages.length, warnings.length, messages.join('\n'))
    for (const warning of warnings)
      t.ok(
        messages.some((message) => warning.test(message)),
        String(warning)
      )
  })
}

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
