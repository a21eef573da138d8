/** The formats of ajv-formats as an ES module give the verdicts of the package. */
import { createRequire } from 'node:module'
import t from 'tap'
import {
  formatCheck,
  formatName,
  formatsModule
} from '../../../../src/compiler/compile/validators/formats.ts'
import { enforcedFormats } from '../../../../src/compiler/compile/validators/keywords.ts'

type Check = (value: unknown) => boolean
const { fullFormats } = createRequire(import.meta.url)('ajv-formats/dist/formats') as {
  fullFormats: Record<string, Check | RegExp | { validate: Check }>
}

const module = (await import(`data:text/javascript,${encodeURIComponent(formatsModule())}`)) as Record<
  string,
  Check | { validate: Check }
>

const checkOf = (format: Check | { validate: Check }): Check =>
  typeof format === 'function' ? format : format.validate

const values: Record<string, unknown[]> = {
  date: ['2024-02-29', '2023-02-29', '2024-13-01', ''],
  time: ['23:59:60Z', '12:00:00', '24:00:00Z', '12:00:00+01:00'],
  'date-time': ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00', '2024-02-29'],
  'iso-time': ['12:00:00', '25:00:00'],
  'iso-date-time': ['2024-02-29T12:00:00', '2024-02-29'],
  uri: ['https://example.org/a?b#c', 'a b', 'a'],
  regex: ['^a+$', '('],
  byte: ['aGk=', '?'],
  int32: [2147483647, 2147483648, 1.5]
}

for (const [name, examples] of Object.entries(values))
  t.test(name, async (t) => {
    const ours = checkOf(module[formatName(name)] as Check)
    const theirs = checkOf(fullFormats[name] as Check)
    const verdicts = examples.map((value) => ours(value))
    t.strictSame(
      verdicts,
      examples.map((value) => theirs(value))
    )
    t.ok(verdicts.includes(true) && verdicts.includes(false), 'the examples hold both verdicts')
  })

t.test('every enforced format is a function of the module or a regular expression', async (t) => {
  for (const name of enforcedFormats) {
    if (name === 'int64') continue
    t.ok(fullFormats[name] instanceof RegExp || formatName(name) in module, name)
  }
})

t.test('the format of a text that is not a request', async (t) => {
  t.equal(formatCheck('url')?.('https://example.org/'), true)
  t.equal(formatCheck('url')?.('https://example.org/a b'), false)
  t.equal(formatCheck('email')?.('a@b.example'), true)
  t.equal(formatCheck('email')?.('a'), false)
  t.equal(formatCheck('date')?.('2024-02-30'), false)
  for (const format of ['int32', 'int64', 'color']) t.equal(formatCheck(format), undefined, format)
})
