/** Formats that a project defines. */
import t from 'tap'
import { defineFormat } from '../../src/engine/formats.ts'

t.test('a format has its name and its check', async (t) => {
  const format = defineFormat('money', { check: (text) => text === '1' })
  t.match(format, { name: 'money' })
  t.ok(format.check('1'))
  t.throws(() => defineFormat(1 as never, format), /a format needs a name/)
  t.throws(() => defineFormat('a', undefined as never), /format a lacks check/)
})
