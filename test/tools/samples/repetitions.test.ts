/** The length of the texts of a pattern. */
import t from 'tap'
import { expectedLength } from '../../../src/tools/samples/text-instances.ts'

for (const [source, length] of [
  ['', 0],
  ['^abc$', 3],
  ['a{10}', 10],
  ['(ab{10}){3}', 33],
  ['[a-z]{5}\\d{2}', 7],
  ['(?:a|bc)?', 3],
  ['a{2,7}b{3,}', 13],
  ['a+b*', 10],
  ['(a+)+', 25],
  ['\\p{L}{4}\\u{61}{2}', 6],
  ['(?<name>[\\]]{2}){2}(?=x)', 5],
  ['((a{1000}){1000}){1000}', 1e9],
  [')a', 1],
  ['(ab', 2]
] as const)
  t.equal(expectedLength(source), length, source)
