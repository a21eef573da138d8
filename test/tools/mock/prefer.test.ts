/** Parsing of the header `Prefer` (RFC 7240, section 2). */
import t from 'tap'
import { parsePrefer, preferenceApplied } from '../../../src/tools/mock/prefer.ts'

for (const [header, want] of [
  [undefined, {}],
  ['', {}],
  ['code=404', { code: '404' }],
  ['code=404, example=a', { code: '404', example: 'a' }],
  [['code=404', 'dynamic=true'], { code: '404', dynamic: 'true' }],
  ['Code = 404 , Example = "a \\"b\\", c"', { code: '404', example: 'a "b", c' }],
  ['respond-async, wait=10;foo="a,b";bar ; , code=1', { 'respond-async': '', wait: '10', code: '1' }],
  ['code=404, code=200', { code: '404' }],
  ['example=""', { example: '' }],
  ['code=404, (nonsense), dynamic=true', { code: '404' }],
  ['=1', {}]
] as const)
  t.strictSame(Object.fromEntries(parsePrefer(header as string)), want, String(header))

t.equal(preferenceApplied(new Map([['code', '404']])), 'code=404')
t.equal(
  preferenceApplied(
    new Map([
      ['example', 'a "b" €'],
      ['dynamic', 'true']
    ])
  ),
  'example="a \\"b\\" ?", dynamic=true'
)
