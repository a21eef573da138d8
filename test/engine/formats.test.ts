/** Formats that a project defines. */
import t from 'tap'
import { defineFormat } from '../../src/engine/formats.ts'

t.test('a format has its name and its check', async (t) => {
  const format = defineFormat('money', { check: (text) => text === '1' })
  t.match(format, { name: 'money' })
  t.ok(format.check('1'))
  t.throws(() => defineFormat(1 as never, { check: () => true }), /a format needs a name/)
  t.throws(() => defineFormat('a', undefined as never), /format a lacks check, a function/)
})

t.test('a format of a class has all parts', async (t) => {
  const parts = { check: () => true, parse: (text: string) => new URL(text), stringify: String, type: URL }
  t.match(defineFormat('link', parts), { name: 'link', parse: parts.parse, type: URL })
  for (const part of ['parse', 'stringify', 'type'] as const) {
    const { [part]: _, ...others } = parts
    const kind = part === 'type' ? 'class' : 'function'
    t.throws(() => defineFormat('link', others as never), { message: `format link lacks ${part}, a ${kind}` })
  }
})

t.test('a text that parse throws for is not of the format', async (t) => {
  const { check } = defineFormat('link', {
    check: (text) => text !== 'http://b',
    parse: (text) => new URL(text),
    stringify: String,
    type: URL
  })
  t.strictSame(['http://a', 'http://b', 'a'].map(check), [true, false, false])
})
