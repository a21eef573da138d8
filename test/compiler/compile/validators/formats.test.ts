/** The formats by name. The verdicts of each are a table of keywords/formats.ts. */
import t from 'tap'
import { enforcedFormats, formatCheck } from '../../../../src/compiler/compile/validators/formats.ts'

t.test('the format of a text that is not a request', async (t) => {
  t.equal(formatCheck('date-time')?.('2024-02-29T12:00:00Z'), true)
  t.equal(formatCheck('date-time')?.('2024-02-30T12:00:00Z'), false)
  for (const format of ['int32', 'int64', 'color', 'toString'])
    t.equal(formatCheck(format), undefined, format)
})

t.test('each enforced format but those of numbers has a check', async (t) => {
  for (const format of enforcedFormats)
    t.equal(formatCheck(format) === undefined, /^int\d\d$/.test(format), format)
})
