/** The CPU time of a format grows with the text, for texts that are slow to refuse. */
import { createRequire } from 'node:module'
import t from 'tap'
import { formatName, formatsModule } from '../../../src/compiler/compile/validators/formats.ts'
import { enforcedFormats } from '../../../src/compiler/compile/validators/keywords.ts'
import { assertLinear } from './rows.ts'

type Check = (text: string) => boolean
type Format = Check | RegExp | { validate: Check }

const { fullFormats } = createRequire(import.meta.url)('ajv-formats/dist/formats') as {
  fullFormats: Record<string, Format>
}
const ours = (await import(`data:text/javascript,${encodeURIComponent(formatsModule())}`)) as Record<
  string,
  Format
>

function checkOf(name: string): Check {
  const format = ours[formatName(name)] ?? (fullFormats[name] as Format)
  if (format instanceof RegExp) return (text) => format.test(text)
  return typeof format === 'function' ? format : format.validate
}

/** Slow texts: the repeated part, the text before it, and the text after it. */
const texts: readonly [unit: string, before: string, after: string][] = [
  ['a', '', '!'],
  ['0', '', '!'],
  ['a:', 'http://', ''],
  ['a@', 'http://', ' '],
  ['@a.bc/', 'http://a', ' '],
  ['a.', 'http://', '!'],
  ['a-', 'http://', '!'],
  ['a.', 'a@', '!'],
  ['a-', 'a@', '!'],
  ['a.', '', '@'],
  ['/', 'a:', ' '],
  ['%41', 'a:', ' '],
  ['{a}', '', '{'],
  ['{a,', '', ''],
  ['~0', '/', '~'],
  ['/a', '#', '~'],
  ['1:', '', ''],
  ['1.', '', ''],
  ['(', '', ''],
  ['(?<a>', '', ''],
  ['[a', '', ''],
  ['a{1}', '', '('],
  ['aGk=', '', '?'],
  ['2024-01-01T', '', ''],
  ['1', '12:00:00.', ''],
  [' ', '2024-01-01', ''],
  ['1', 'P', '']
]

t.test('the work of a format grows with the length of its text', (t) =>
  assertLinear(
    t,
    [...enforcedFormats]
      .filter((name) => name !== 'int32' && name !== 'int64')
      .map((name) => ({
        about: name,
        size: 1000,
        work: (size: number) => {
          const check = checkOf(name)
          const sent = texts.map(([unit, before, after]) => before + unit.repeat(size) + after)
          return () => sent.map((text) => check(text))
        }
      }))
  )
)
