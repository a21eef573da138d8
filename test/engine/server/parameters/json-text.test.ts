import t from 'tap'
import type { TextShape } from '../../../../src/engine/model/parameter.ts'
import { UndecodableParameter } from '../../../../src/engine/server/parameters/decoded.ts'
import { fits, jsonOrText, jsonValue } from '../../../../src/engine/server/parameters/json-text.ts'
import { integer, plain, rgb, string, strings, unknown } from './parameter-table.ts'

const malformed = 'refused: is not valid JSON'

/** Returns the value, or the message of its refusal. */
function outcome(run: () => unknown): unknown {
  try {
    return plain(run())
  } catch (error) {
    return error instanceof UndecodableParameter ? `refused: ${error.message}` : error
  }
}

t.test('an integer of a JSON text is exact', async (t) => {
  const rows: [text: string, want: unknown][] = [
    ['9007199254740993', 9007199254740993n],
    ['{"a":[9007199254740993,1]}', { a: [9007199254740993n, 1] }],
    ['[1e400,1e-400]', [Number.POSITIVE_INFINITY, 0]],
    ['{"__proto__":1}', malformed]
  ]
  for (const [text, want] of rows)
    t.strictSame(
      outcome(() => jsonValue(text)),
      want,
      text
    )
})

t.test('a text that is not JSON is a string where the schema allows a string and more', async (t) => {
  const either: TextShape = { types: ['string', 'int64'], properties: { a: integer } }
  const list: TextShape = { types: ['string'], prefixItems: [integer] }
  const rows: [shape: TextShape, text: string, want: unknown][] = [
    [either, 'auto', 'auto'],
    [either, '"auto"', 'auto'],
    [either, '{"a":1}', { a: 1 }],
    [either, '{"a":', '{"a":'],
    [either, '[1]', '[1]'],
    [either, '5', 5],
    [either, '9007199254740993', 9007199254740993n],
    [either, 'true', 'true'],
    [either, 'null', 'null'],
    [list, '[1]', [1]],
    [list, '5', '5'],
    [string, 'auto', malformed],
    [string, '"auto"', 'auto'],
    [rgb, 'auto', malformed],
    [unknown, '5', 5]
  ]
  for (const [shape, text, want] of rows)
    t.strictSame(
      outcome(() => jsonOrText(text, shape)),
      want,
      `${JSON.stringify(shape)} ${text}`
    )
})

t.test('a value fits a shape that names its type', async (t) => {
  const rows: [value: unknown, shape: TextShape, want: boolean][] = [
    [null, { types: ['null'] }, true],
    [null, string, false],
    [true, { types: ['boolean'] }, true],
    [1, { types: ['number'] }, true],
    [1, string, false],
    [{}, rgb, true],
    [{}, strings, false],
    [[], strings, true],
    [undefined, strings, false]
  ]
  for (const [value, shape, want] of rows)
    t.equal(fits(value, shape), want, `${value} ${JSON.stringify(shape)}`)
})
