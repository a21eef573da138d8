import { existsSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import { mutations } from '../mutations/guarantees.ts'

test('every mutation finds its text once, and its test exists', async (t) => {
  t.ok(mutations.length >= 46)
  for (const { guarantee, file, search, replacement, test: holder } of mutations) {
    t.equal(readFileSync(file, 'utf8').split(search).length, 2, `${guarantee}: ${file}`)
    t.not(search, replacement, guarantee)
    t.ok(existsSync(`test/${holder}`), `${guarantee}: ${holder}`)
  }
})
