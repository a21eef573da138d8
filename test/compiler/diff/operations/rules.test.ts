/** The rules, and their table in docs/diff-rules.md. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { isRule, rules, rulesTable } from '../../../../src/compiler/diff/operations/rules.ts'

t.test('docs/diff-rules.md has the table of the rules', async (t) => {
  const page = readFileSync('docs/diff-rules.md', 'utf8')
  const [, table] = /<!-- rules -->\n([\s\S]*?)\n<!-- \/rules -->/.exec(page) ?? []
  t.equal(table, rulesTable(), 'write what rulesTable() returns between the comments')
})

t.test('names of rules are kebab-case, and each is used once', async (t) => {
  t.ok(rules.length >= 80)
  t.equal(new Set(rules.map(({ id }) => id)).size, rules.length)
  for (const { id, sentence } of rules) {
    t.match(id, /^[a-z]+(-[a-z]+)+$/)
    t.match(sentence, /^[A-Z`].*\.$/)
  }
  t.notOk(isRule('no-such-rule'))
})
