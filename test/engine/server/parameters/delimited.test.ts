import t from 'tap'
import type { TextShape } from '../../../../src/engine/model/parameter.ts'
import { UndecodableParameter } from '../../../../src/engine/server/parameters/decoded.ts'
import { delimitedValue, onlyOne } from '../../../../src/engine/server/parameters/delimited.ts'
import { loneValue } from '../../../../src/engine/server/parameters/json-text.ts'
import { percentDecode } from '../../../../src/engine/server/parameters/pairs.ts'
import { integer, integers, plain, rgb, spec, string, strings, unknown } from './parameter-table.ts'

const comma = { delimiter: ',', decode: percentDecode } as const

/** Returns the value, or the message of its refusal. */
function outcome(run: () => unknown): unknown {
  try {
    return plain(run())
  } catch (error) {
    return error instanceof UndecodableParameter ? `refused: ${error.message}` : error
  }
}

t.test('a text is split at its delimiters, then the pieces are decoded', async (t) => {
  const tuple: TextShape = { types: [], prefixItems: [integer, string], items: { types: ['boolean'] } }
  const either: TextShape = { types: ['string'], items: integer }
  const rows: [shape: TextShape, explode: boolean, text: string, want: unknown][] = [
    [string, false, 'a%2Cb', 'a,b'],
    [string, false, 'a,b', 'a,b'],
    [unknown, false, '1,2', '1,2'],
    [integers, false, '1,2', [1, 2]],
    [integers, false, '1,x', [1, 'x']],
    [strings, false, 'a%2Cb,c', ['a,b', 'c']],
    [strings, false, '', []],
    [strings, false, ',', ['', '']],
    [tuple, false, '1,2,true', [1, '2', true]],
    [either, false, '1', '1'],
    [either, false, '1,2', [1, 2]],
    [rgb, false, '', {}],
    [rgb, false, 'R,1,name,2', { R: 1, name: '2' }],
    [rgb, true, 'R=1,name=2=3', { R: 1, name: '2=3' }],
    [rgb, false, '__proto__,1', JSON.parse('{"__proto__":"1"}')],
    [rgb, false, 'R,1,name', 'refused: must be a list of names and values'],
    [rgb, true, 'R=1,name', 'refused: must be a list of name=value'],
    [rgb, false, 'R,1,%52,2', 'refused: has a property that is given more than once'],
    [integers, false, '1,%zz', 'refused: has malformed percent-encoding']
  ]
  for (const [shape, explode, text, want] of rows)
    t.strictSame(
      outcome(() => delimitedValue(text, spec('path', shape, { explode }), comma)),
      want,
      `${text}${explode ? ', exploded' : ''}`
    )
})

t.test('a parameter declared as JSON is not split', async (t) => {
  const json = spec('path', unknown, { json: true })
  t.same(
    outcome(() => loneValue(json, '%5B1,%7B%22a%22:2%7D%5D', comma)),
    [1, { a: 2 }]
  )
  t.equal(
    outcome(() => loneValue(json, '1,2', comma)),
    'refused: is not valid JSON'
  )
})

t.test('a parameter without several values is sent once', async (t) => {
  t.equal(onlyOne(['a']), 'a')
  t.throws(() => onlyOne(['a', 'a']), new UndecodableParameter('is given more than once'))
})
