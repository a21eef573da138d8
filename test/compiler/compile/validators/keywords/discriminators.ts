/**
 * Discriminators (OpenAPI 3.1.0, section 4.8.25): the property selects one branch, whatever values the branches inherit.
 */
import type { Schema, Table } from './table.ts'

const at = (name: string) => ({ $id: `https://rows.example/kind/${name}` })
const to = (name: string) => ({ $ref: `#/$defs/${name}` })
const object = (properties: Schema, ...required: string[]) => ({ type: 'object', required, properties })
const tag = (kind: Schema | string[]) => object({ kind: Array.isArray(kind) ? { enum: kind } : kind }, 'kind')
const child = (own: Schema) => ({ allOf: [to('Base'), own] })
const radius = object({ radius: { type: 'number' } }, 'radius')
const side = object({ side: { type: 'number' } }, 'side')
const circle = child(radius)
const square = child(side)
const union = { oneOf: [to('Circle'), to('Square')], discriminator: { propertyName: 'kind' } }
const shapes = tag(['Circle', 'Square'])
const words = tag(['circle', 'square', 'line'])

const takes = ['{"kind":"Circle","radius":1}', '{"kind":"Square","side":1,"radius":1}']
const refuses = [
  '{"kind":"Circle","side":1}',
  '{"kind":"Square","radius":1}',
  '{"kind":"Line","side":1}',
  '{"radius":1}'
]
const lowerCased = (texts: readonly string[]) => texts.map((text) => text.toLowerCase())
const [lowTakes, lowRefuses] = [lowerCased(takes), lowerCased(refuses)]

export const discriminators: Table = {
  discriminator: [
    {
      about: 'an inherited enum of the names of schemas',
      schema: { ...at('names'), ...union, $defs: { Base: shapes, Circle: circle, Square: square } },
      takes,
      refuses
    },
    {
      about: 'one child narrows the inherited enum to a value that is no name',
      schema: {
        ...at('narrowed'),
        ...union,
        $defs: {
          Base: tag(['circle', 'square']),
          Circle: child({ ...radius, allOf: [{ properties: { kind: { const: 'circle' } } }] }),
          Square: square
        }
      },
      takes: lowTakes,
      refuses: lowRefuses
    },
    {
      about: 'children narrow the inherited enum beside their references',
      schema: {
        ...at('beside'),
        ...union,
        $defs: {
          Base: words,
          Circle: { ...to('Base'), ...object({ kind: { enum: ['circle'] }, radius: {} }, 'radius') },
          Square: { ...to('Base'), ...object({ kind: { enum: ['square'] }, side: {} }, 'side') }
        }
      },
      takes: lowTakes,
      refuses: lowRefuses
    },
    {
      about: 'the enum stands in a schema of its own',
      schema: {
        ...at('kinds'),
        ...union,
        $defs: {
          Kind: { type: 'string', enum: ['Circle', 'Square'] },
          Base: tag({ allOf: [to('Kind')], description: 'kind' }),
          Circle: circle,
          Square: square
        }
      },
      takes,
      refuses
    },
    {
      about: 'anyOf with an inherited enum',
      schema: {
        ...at('any'),
        anyOf: [to('Circle'), to('Square')],
        discriminator: { propertyName: 'kind' },
        $defs: { Base: shapes, Circle: circle, Square: square }
      },
      takes,
      refuses
    },
    {
      about: 'null beside the alternatives',
      schema: {
        ...at('or-null'),
        oneOf: [...union.oneOf, { type: 'null' }],
        discriminator: union.discriminator,
        $defs: { Base: shapes, Circle: circle, Square: square }
      },
      takes: [...takes, 'null'],
      refuses
    },
    {
      about: 'a child that also accepts null',
      schema: {
        ...at('null'),
        ...union,
        $defs: { Base: shapes, Circle: { anyOf: [circle, { type: 'null' }] }, Square: square }
      },
      takes,
      refuses
    },
    {
      about: 'a branch that is a union with the same property',
      schema: {
        ...at('nested'),
        oneOf: [to('Flat'), to('Ball')],
        discriminator: { propertyName: 'kind' },
        $defs: {
          Base: tag({ type: 'string' }),
          Flat: union,
          Circle: circle,
          Square: square,
          Ball: child(object({ volume: { type: 'number' } }, 'volume'))
        }
      },
      takes: [...takes, '{"kind":"Ball","volume":1}'],
      refuses: [...refuses, '{"kind":"Ball","radius":1}', '{"kind":"Flat","radius":1}']
    },
    {
      about: 'values that do not tell the branches apart: the union decides',
      schema: {
        ...at('alike'),
        ...union,
        $defs: { Base: tag(['round', 'angular']), Circle: circle, Square: square }
      },
      takes: ['{"kind":"round","side":1}'],
      refuses: ['{"kind":"round","side":1,"radius":1}', '{"kind":"Circle","radius":1}']
    },
    {
      about: 'a base that lists its children',
      schema: {
        ...at('base'),
        ...to('Base'),
        $defs: { Base: { ...union, ...tag({ type: 'string' }) }, Circle: circle, Square: square }
      },
      takes,
      refuses
    },
    {
      about: 'a child of a base that lists it has the members of the base',
      schema: {
        ...at('child'),
        ...to('Circle'),
        $defs: { Base: { ...union, ...tag({ type: 'string' }) }, Circle: circle, Square: square }
      },
      takes: ['{"kind":"Circle","radius":1}'],
      refuses: ['{"kind":"Circle"}', '{"radius":1}', '{"kind":1,"radius":1}']
    },
    {
      about: 'children refer to the base that lists them by a chain and beside their members',
      schema: {
        ...at('chain-to-base'),
        ...to('Circle'),
        $defs: {
          Base: { ...union, ...tag({ type: 'string' }) },
          Alias: to('Base'),
          Circle: { allOf: [to('Alias'), radius] },
          Square: { ...to('Base'), ...side }
        },
        properties: { next: to('Base') }
      },
      takes: [
        '{"kind":"Circle","radius":1}',
        '{"kind":"Circle","radius":1,"next":{"kind":"Square","side":1}}'
      ],
      refuses: ['{"kind":"Circle","radius":1,"next":{"kind":"Square"}}', '{"radius":1}']
    },
    {
      about: 'a base that lists its children without a discriminator',
      schema: {
        ...at('plain-base'),
        ...to('Base'),
        $defs: {
          Base: { oneOf: union.oneOf, ...object({ kind: {} }, 'kind') },
          Circle: circle,
          Square: square
        }
      },
      takes: ['{"kind":1,"radius":1}', '{"kind":1,"side":1}'],
      refuses: ['{"radius":1}', '{"kind":1}', '{"kind":1,"radius":1,"side":1}']
    },
    {
      about: 'a base that lists a child which lists its own',
      schema: {
        ...at('levels'),
        ...to('Base'),
        $defs: {
          Base: {
            oneOf: [to('Flat'), to('Square')],
            discriminator: { propertyName: 'kind' },
            ...tag({ type: 'string' })
          },
          Flat: {
            allOf: [to('Base')],
            anyOf: [to('Circle'), to('Line')],
            discriminator: { propertyName: 'kind' }
          },
          Circle: { allOf: [to('Flat'), radius] },
          Line: { allOf: [to('Flat'), object({ length: {} }, 'length')] },
          Square: square
        }
      },
      takes: [...takes, '{"kind":"Line","length":1}'],
      refuses: ['{"kind":"Line","radius":1}', '{"kind":"Circle","side":1}', '{"kind":"Flat","radius":1}']
    }
  ]
}
