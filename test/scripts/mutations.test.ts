import { existsSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import { mutations, tenthOf } from '../mutations/guarantees.ts'

test('every mutation finds its text once, and its test exists', async (t) => {
  t.ok(mutations.length >= 46)
  for (const { guarantee, file, search, replacement, test: holder } of mutations) {
    t.equal(readFileSync(file, 'utf8').split(search).length, 2, `${guarantee}: ${file}`)
    t.not(search, replacement, guarantee)
    t.ok(existsSync(`test/${holder}`), `${guarantee}: ${holder}`)
  }
})

test('ten parts of one size have every mutation once', async (t) => {
  const parts = Array.from({ length: 10 }, (_, part) => tenthOf(mutations, part))
  t.strictSame(new Set(parts.flat()), new Set(mutations))
  t.equal(parts.flat().length, mutations.length)
  for (const part of parts) t.ok(Math.abs(part.length - mutations.length / 10) < 1)
})
