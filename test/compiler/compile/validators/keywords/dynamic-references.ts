/** Dynamic references (JSON Schema Core, 8.2.3.2). Every row has an $id, because `#` would mean the contract. */
import type { Table } from './table.ts'

const integer = { type: 'integer' }
const string = { type: 'string' }
const at = (name: string) => ({ $id: `https://rows.example/${name}` })

export const dynamicReferences: Table = {
  '$dynamicRef and $dynamicAnchor': [
    {
      about: 'without another anchor in scope: like $ref',
      schema: {
        ...at('dynamic-plain'),
        items: { $dynamicRef: '#item' },
        $defs: { x: { $dynamicAnchor: 'item', ...string } }
      },
      takes: ['["a"]'],
      refuses: ['[1]']
    },
    {
      about: 'to an $anchor: like $ref',
      schema: {
        ...at('dynamic-anchor'),
        items: { $dynamicRef: '#item' },
        $defs: { x: { $anchor: 'item', ...string } }
      },
      takes: ['["a"]'],
      refuses: ['[1]']
    },
    {
      about: '$ref to a $dynamicAnchor: static',
      schema: {
        ...at('static'),
        $ref: 'static-list',
        $defs: {
          item: { $dynamicAnchor: 'item', ...integer },
          list: {
            $id: 'static-list',
            items: { $ref: '#item' },
            $defs: { x: { $dynamicAnchor: 'item', ...string } }
          }
        }
      },
      takes: ['["a"]'],
      refuses: ['[1]']
    },
    {
      about: 'the outermost anchor of the dynamic scope',
      schema: {
        ...at('outer'),
        $ref: 'outer-list',
        $defs: {
          item: { $dynamicAnchor: 'item', ...integer },
          list: {
            $id: 'outer-list',
            items: { $dynamicRef: '#item' },
            $defs: { x: { $dynamicAnchor: 'item' } }
          }
        }
      },
      takes: ['[1]'],
      refuses: ['["a"]']
    },
    {
      about: 'a resource that is not on the way does not count',
      schema: {
        ...at('aside'),
        $ref: 'aside-list',
        $defs: {
          other: { $id: 'aside-other', $dynamicAnchor: 'item', ...integer },
          list: {
            $id: 'aside-list',
            items: { $dynamicRef: '#item' },
            $defs: { x: { $dynamicAnchor: 'item', ...string } }
          }
        }
      },
      takes: ['["a"]'],
      refuses: ['[1]']
    },
    {
      about: 'a tree that an extension closes',
      schema: {
        ...at('strict-tree'),
        $dynamicAnchor: 'node',
        $ref: 'open-tree',
        unevaluatedProperties: false,
        $defs: {
          tree: {
            $id: 'open-tree',
            $dynamicAnchor: 'node',
            properties: { value: {}, children: { items: { $dynamicRef: '#node' } } }
          }
        }
      },
      takes: ['{"children":[{"value":1}]}'],
      refuses: ['{"children":[{"valeu":1}]}', '{"valeu":1}']
    },
    {
      about: 'two uses of one generic schema',
      schema: {
        ...at('generic'),
        properties: { words: { $ref: 'words' }, counts: { $ref: 'counts' } },
        $defs: {
          words: { $id: 'words', $ref: 'box', $defs: { x: { $dynamicAnchor: 'content', ...string } } },
          counts: { $id: 'counts', $ref: 'box', $defs: { x: { $dynamicAnchor: 'content', ...integer } } },
          box: {
            $id: 'box',
            properties: { content: { $dynamicRef: '#content' } },
            $defs: { x: { $dynamicAnchor: 'content' } }
          }
        }
      },
      takes: ['{"words":{"content":"a"},"counts":{"content":1}}'],
      refuses: ['{"words":{"content":1}}', '{"counts":{"content":"a"}}']
    }
  ]
}
