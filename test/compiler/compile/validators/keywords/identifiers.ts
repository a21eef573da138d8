/** Identifiers of schemas (JSON Schema Core, 8.2.1 and 8.2.2). Every row has an $id, because `#` would mean the contract. */
import type { Table } from './table.ts'

const integer = { type: 'integer' }
const string = { type: 'string' }
const at = (name: string) => ({ $id: `https://rows.example/${name}` })

export const identifiers: Table = {
  $anchor: [
    {
      about: 'a name within its resource',
      schema: { ...at('anchor'), $ref: '#here', $defs: { x: { $anchor: 'here', ...integer } } },
      takes: ['1'],
      refuses: ['"a"']
    },
    {
      about: 'the same name in two resources',
      schema: {
        ...at('anchors'),
        $defs: {
          inner: { $id: 'inner', $defs: { x: { $anchor: 'same', ...string } } },
          y: { $anchor: 'same', ...integer }
        },
        properties: { outer: { $ref: '#same' }, inner: { $ref: 'inner#same' } }
      },
      takes: ['{"outer":1,"inner":"a"}'],
      refuses: ['{"outer":"a"}', '{"inner":1}']
    },
    {
      about: 'by absolute URI',
      schema: {
        ...at('absolute'),
        $ref: 'https://rows.example/absolute#here',
        $defs: { x: { $anchor: 'here', ...integer } }
      },
      takes: ['1'],
      refuses: ['"a"']
    },
    {
      about: 'in an enum is data',
      schema: {
        ...at('data'),
        $defs: { x: { enum: [{ $anchor: 'twice', type: 'null' }] }, y: { $anchor: 'twice', ...integer } },
        $ref: '#twice'
      },
      takes: ['1'],
      refuses: ['"a"', '{"$anchor":"twice","type":"null"}']
    }
  ],
  $id: [
    {
      about: 'changes the base of relative references',
      schema: {
        ...at('base/'),
        items: { $id: 'folder/', $ref: 'leaf' },
        $defs: { x: { $id: 'folder/leaf', ...integer } }
      },
      takes: ['[1]'],
      refuses: ['["a"]']
    },
    {
      about: 'a pointer starts at the nearest $id',
      schema: {
        ...at('nearest'),
        $defs: {
          n: string,
          inner: { $id: 'nearest-inner', $defs: { n: integer }, properties: { a: { $ref: '#/$defs/n' } } }
        },
        $ref: 'nearest-inner'
      },
      takes: ['{"a":1}'],
      refuses: ['{"a":"x"}']
    },
    {
      about: 'an absolute path',
      schema: { ...at('deep/er/schema'), $ref: '/top', $defs: { x: { $id: '/top', ...integer } } },
      takes: ['1'],
      refuses: ['"a"']
    },
    {
      about: 'a URN',
      schema: {
        $id: 'urn:uuid:0b7f5cb6-57cd-4d3b-9d51-6f0d3d1a9f0e',
        $ref: '#/$defs/n',
        $defs: { n: integer }
      },
      takes: ['1'],
      refuses: ['"a"']
    },
    {
      about: 'a property named $id',
      schema: { properties: { $id: string } },
      takes: ['{"$id":"a"}'],
      refuses: ['{"$id":1}']
    },
    {
      about: 'in a const is data',
      schema: {
        ...at('in-const'),
        $ref: 'https://rows.example/in-const-target',
        $defs: {
          x: { const: { $id: 'https://rows.example/in-const-target', type: 'null' } },
          y: { $id: 'in-const-target', ...integer }
        }
      },
      takes: ['1'],
      refuses: ['null']
    }
  ]
}
