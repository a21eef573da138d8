import t from 'tap'
import type { PrimitiveType } from '../../../../src/engine/model/parameter.ts'
import { primitiveOf } from '../../../../src/engine/server/parameters/primitive.ts'

t.test('a text becomes a value of a declared type, or stays as it is', async (t) => {
  const rows: [readonly PrimitiveType[], string, unknown][] = [
    [['string'], '12', '12'],
    [['string'], '', ''],
    [['string'], 'null', 'null'],
    [['integer'], '12', 12],
    [['integer'], '-0', 0],
    [['integer'], '1.0', 1],
    [['integer'], '1e3', 1000],
    [['integer'], '0x10', '0x10'],
    [['integer'], '', ''],
    [['integer'], '1.5', '1.5'],
    [['integer'], '+1', '+1'],
    [['integer'], '01', '01'],
    [['integer'], '9007199254740993', 9007199254740993n],
    [['integer'], '9007199254740992', 9007199254740992],
    [['integer'], `1${'0'.repeat(309)}`, 10n ** 309n],
    [['integer'], '1e999999999', '1e999999999'],
    [['int64'], '12', 12n],
    [['int64'], '9223372036854775808', 9223372036854775808n],
    [['int64'], '9007199254740993.0', 9007199254740993n],
    [['int64'], '1.5', '1.5'],
    [['int64', 'integer'], '7', 7n],
    [['number'], '1.5', 1.5],
    [['number'], '9007199254740993', 9007199254740992],
    [['number'], '1e400', '1e400'],
    [['number'], '1e-400', 0],
    [['number'], 'NaN', 'NaN'],
    [['number'], 'Infinity', 'Infinity'],
    [['integer', 'number'], '1.5', 1.5],
    [['integer', 'string'], '12', 12],
    [['integer', 'string'], 'x', 'x'],
    [['boolean'], 'true', true],
    [['boolean'], 'false', false],
    [['boolean'], 'TRUE', 'TRUE'],
    [['boolean'], '1', '1'],
    [['null'], 'null', null],
    [['null'], '', null],
    [['integer', 'null'], 'null', null],
    [['integer', 'null'], '', null],
    [['integer', 'null'], 'x', 'x'],
    [['string', 'null'], 'null', 'null'],
    [['string', 'null'], '', ''],
    [[], '12', '12'],
    [[], '', '']
  ]
  for (const [types, text, want] of rows)
    t.strictSame(primitiveOf(text, types), want, `${types.join(' or ')}: ${text.slice(0, 30)}`)
})
