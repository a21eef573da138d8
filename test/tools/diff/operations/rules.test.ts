/** The rules, and their tables in docs/diff-rules.md. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { isRule, operationRules, rules, rulesTables } from '../../../../src/tools/diff/operations/rules.ts'

t.test('docs/diff-rules.md has the tables of the rules', async (t) => {
  const page = readFileSync('docs/diff-rules.md', 'utf8')
  const [, tables] = /<!-- rules -->\n([\s\S]*?)\n<!-- \/rules -->/.exec(page) ?? []
  t.equal(tables, rulesTables(), 'write what rulesTables() returns between the comments')
})

t.test('names of rules are kebab-case, and each is used once', async (t) => {
  t.ok(rules.length >= 80)
  t.equal(new Set(rules.map(({ id }) => id)).size, rules.length)
  for (const { id } of rules) t.match(id, /^[a-z]+(-[a-z]+)+$/)
  for (const [, sentence] of Object.values(operationRules)) t.match(sentence, /^[A-Z`].*\.$/)
  t.notOk(isRule('no-such-rule'))
})

/** Returns the rules that the tables of schemas list, with the lists that their columns say. */
function schemaRulesIn(table: string): string[] {
  const rows = table
    .split('\n')
    .filter((line) => line.includes('-'))
    .map((line) => line.split('|'))
  const words = (cell = '') => [...cell.matchAll(/(?:(\w+): )?`([a-z-]+)`/g)]
  return rows.flatMap(([, about = '', inRequests, inAnswers, inBoth]) => [
    ...words(inRequests).flatMap(([, , word]) => [
      `request-${word} breaking`,
      `response-${word} ${about.endsWith(' answers: undecided ') ? 'undecided' : 'compatible'}`
    ]),
    ...words(inAnswers).flatMap(([, , word]) => [
      `request-${word} ${about.endsWith(' requests: undecided ') ? 'undecided' : 'compatible'}`,
      `response-${word} breaking`
    ]),
    ...words(inBoth).flatMap(([, list, word]) => [`request-${word} ${list}`, `response-${word} ${list}`])
  ])
}

t.test('the tables list every rule, under the list that it has', async (t) => {
  const [, ...sections] = rulesTables().split(/^## /m)
  const listed = sections.flatMap((section) => {
    const [, list] = /^Operations: (\w+)\n/.exec(section) ?? []
    if (list === undefined) return schemaRulesIn(section)
    return [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, id]) => `${id} ${list}`)
  })
  t.strictSame(listed.sort(), rules.map(({ id, list }) => `${id} ${list}`).sort())
})
