/** Formats of a project are recognised, also those of another copy of the engine. */
import t from 'tap'
import { isFormat } from '../../../src/engine/model/own-format.ts'
import { defineFormat } from '../../../src/engine/runtime/own-format.ts'

t.test('a format is what defineFormat returns', async (t) => {
  t.ok(isFormat(defineFormat('money', { check: () => true })))
  for (const other of [undefined, null, 1, {}, { name: 'money', check: () => true }]) t.notOk(isFormat(other))
})
