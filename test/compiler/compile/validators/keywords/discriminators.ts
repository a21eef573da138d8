/**
 * Discriminators (OpenAPI 3.1.0, section 4.8.25): the property selects one branch, whatever values the branches inherit.
 */
import { type Row, type Schema, words } from './table.ts'

const to = (name: string) => ({ $ref: `#/$defs/${name}` })
const object = (properties: Schema, ...required: string[]) => ({ type: 'object', required, properties })
const tag = (kind: Schema | string[]) => object({ kind: Array.isArray(kind) ? { enum: kind } : kind }, 'kind')
const child = (own: Schema) => ({ allOf: [to('Base'), own] })
const radius = object({ radius: { type: 'number' } }, 'radius')
const side = object({ side: { type: 'number' } }, 'side')
const [Circle, Square] = [child(radius), child(side)]
const discriminator = { propertyName: 'kind' }
const union = { oneOf: [to('Circle'), to('Square')], discriminator }
const shapes = tag(['Circle', 'Square'])
const text = tag({ type: 'string' })

const takes = '{"kind":"Circle","radius":1} {"kind":"Square","side":1,"radius":1}'
const refuses =
  '{"kind":"Circle","side":1} {"kind":"Square","radius":1} {"kind":"Line","side":1} {"radius":1}'
const capital = { takes, refuses }
const lower = { takes: takes.toLowerCase(), refuses: refuses.toLowerCase() }
let count = 0

/** Returns the row of a schema whose definitions include the two shapes, unless they are others. */
function kinds(
  about: string,
  schema: Schema & object,
  $defs: Readonly<Record<string, Schema>>,
  texts: Readonly<Record<'takes' | 'refuses', string>> = capital
): Row {
  const $id = `https://rows.example/kind/${count++}`
  return {
    about,
    schema: { $id, ...schema, $defs: { Circle, Square, ...$defs } },
    takes: words(texts.takes),
    refuses: words(texts.refuses)
  }
}

export const discriminators: readonly Row[] = [
  kinds('an inherited enum of the names of schemas', union, { Base: shapes }),
  kinds(
    'one child narrows the inherited enum to a value that is no name',
    union,
    {
      Base: tag(['circle', 'square']),
      Circle: child({ ...radius, allOf: [{ properties: { kind: { const: 'circle' } } }] })
    },
    lower
  ),
  kinds(
    'children narrow the inherited enum beside their references',
    union,
    {
      Base: tag(['circle', 'square', 'line']),
      Circle: { ...to('Base'), ...object({ kind: { enum: ['circle'] }, radius: {} }, 'radius') },
      Square: { ...to('Base'), ...object({ kind: { enum: ['square'] }, side: {} }, 'side') }
    },
    lower
  ),
  kinds('the enum stands in a schema of its own', union, {
    Kind: { type: 'string', enum: ['Circle', 'Square'] },
    Base: tag({ allOf: [to('Kind')], description: 'kind' })
  }),
  kinds('anyOf with an inherited enum', { anyOf: union.oneOf, discriminator }, { Base: shapes }),
  kinds(
    'null beside the alternatives',
    { oneOf: [...union.oneOf, { type: 'null' }], discriminator },
    { Base: shapes },
    { takes: `${takes} null`, refuses }
  ),
  kinds('a child that also accepts null', union, {
    Base: shapes,
    Circle: { anyOf: [Circle, { type: 'null' }] }
  }),
  kinds(
    'a branch that is a union with the same property',
    { oneOf: [to('Flat'), to('Ball')], discriminator },
    { Base: text, Flat: union, Ball: child(object({ volume: { type: 'number' } }, 'volume')) },
    {
      takes: `${takes} {"kind":"Ball","volume":1}`,
      refuses: `${refuses} {"kind":"Ball","radius":1} {"kind":"Flat","radius":1}`
    }
  ),
  kinds(
    'values that do not tell the branches apart: the union decides',
    union,
    { Base: tag(['round', 'angular']) },
    {
      takes: '{"kind":"round","side":1}',
      refuses: '{"kind":"round","side":1,"radius":1} {"kind":"Circle","radius":1}'
    }
  ),
  kinds('a base that lists its children', to('Base'), { Base: { ...union, ...text } }),
  kinds(
    'a child of a base that lists it has the members of the base',
    to('Circle'),
    { Base: { ...union, ...text } },
    {
      takes: '{"kind":"Circle","radius":1}',
      refuses: '{"kind":"Circle"} {"radius":1} {"kind":1,"radius":1}'
    }
  ),
  kinds(
    'children refer to the base that lists them by a chain and beside their members',
    { ...to('Circle'), properties: { next: to('Base') } },
    {
      Base: { ...union, ...text },
      Alias: to('Base'),
      Circle: { allOf: [to('Alias'), radius] },
      Square: { ...to('Base'), ...side }
    },
    {
      takes: '{"kind":"Circle","radius":1} {"kind":"Circle","radius":1,"next":{"kind":"Square","side":1}}',
      refuses: '{"kind":"Circle","radius":1,"next":{"kind":"Square"}} {"radius":1}'
    }
  ),
  kinds(
    'a base that lists its children without a discriminator',
    to('Base'),
    { Base: { oneOf: union.oneOf, ...tag({}) } },
    {
      takes: '{"kind":1,"radius":1} {"kind":1,"side":1}',
      refuses: '{"radius":1} {"kind":1} {"kind":1,"radius":1,"side":1}'
    }
  ),
  kinds(
    'a base that lists a child which lists its own',
    to('Base'),
    {
      Base: { oneOf: [to('Flat'), to('Square')], discriminator, ...text },
      Flat: { allOf: [to('Base')], anyOf: [to('Circle'), to('Line')], discriminator },
      Circle: { allOf: [to('Flat'), radius] },
      Line: { allOf: [to('Flat'), object({ length: {} }, 'length')] }
    },
    {
      takes: `${takes} {"kind":"Line","length":1}`,
      refuses: '{"kind":"Line","radius":1} {"kind":"Circle","side":1} {"kind":"Flat","radius":1}'
    }
  )
]
