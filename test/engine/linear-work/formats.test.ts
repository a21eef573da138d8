/** The CPU time of a format grows with the text, for texts that are slow to refuse. */
import t from 'tap'
import { enforcedFormats, formatCheck } from '../../../src/compiler/compile/validators/reading.ts'
import { assertLinear } from './rows.ts'

/** Slow texts: the repeated part, the text before it, and the text after it. */
const texts: readonly [unit: string, before: string, after: string][] = [
  ['a', '', '!'],
  ['0', '', '!'],
  ['a:', 'http://', ''],
  ['a@', 'http://', ' '],
  ['@a.bc/', 'http://a', ' '],
  ['a.', 'http://', '!'],
  ['a.', 'a@', '!'],
  ['a.', '', '@'],
  ['/', 'a:', ' '],
  ['%41', 'a:', ' '],
  ['{a}', '', '{'],
  ['{a,', '', ''],
  ['\ue000{a}', '', '%'],
  ['~0', '/', '~'],
  ['%7e0', '#/', '%7e'],
  ['1:', '', ''],
  ['(', '', ''],
  ['[a', '', ''],
  ['a{1}', '', '('],
  ['aGk=', '', '?'],
  ['2024-01-01T', '', ''],
  ['1', '12:00:00.', ''],
  [' ', '2024-01-01', ''],
  ['1', 'P', ''],
  ['1', 'http://a@:', '!'],
  ['a?', 'a:', ''],
  ['\u00e9', 'a:?', ' '],
  ['::', '', ''],
  ['"', '"', '@'],
  ['\\a', '"', ''],
  ['.a', 'a', '@'],
  ['xn--4gbwdl.', '', '!'],
  ['a', 'xn--', ''],
  ['{', '', '}'],
  ['.a', '{a', '!}']
]

t.test('the work of a format grows with the length of its text', (t) => {
  const names = [...enforcedFormats].filter((name) => name !== 'int32' && name !== 'int64')
  const checking = (name: string) => (size: number) => {
    const check = formatCheck(name)
    const sent = texts.map(([unit, before, after]) => before + unit.repeat(size) + after)
    return () => sent.map((text) => check?.(text))
  }
  return assertLinear(
    t,
    names.map((name) => [name, 1000, checking(name)])
  )
})
