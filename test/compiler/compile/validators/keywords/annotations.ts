/** Keywords that refuse nothing (JSON Schema Core, 8.3, and Validation, 8 and 9), and unknown keywords. */
import type { Table } from './table.ts'

export const annotations: Table = {
  default: [
    {
      about: 'is not inserted',
      schema: { properties: { a: { default: 1 } }, required: ['a'] },
      takes: ['{"a":2}'],
      refuses: ['{}']
    },
    {
      about: 'need not be valid',
      schema: { type: 'string', minLength: 4, default: 'bad' },
      takes: ['"long"'],
      refuses: ['"bad"']
    }
  ],
  'title, description, $comment, deprecated, examples': [
    {
      about: 'refuse nothing',
      schema: {
        title: 'A',
        description: 'B',
        $comment: 'C',
        deprecated: true,
        examples: [1],
        type: 'string'
      },
      takes: ['"x"'],
      refuses: ['1']
    }
  ],
  'contentEncoding, contentMediaType, contentSchema': [
    {
      about: 'assert nothing, neither of the text nor of what it encodes',
      schema: {
        contentEncoding: 'base64',
        contentMediaType: 'application/json',
        contentSchema: { type: 'object' }
      },
      takes: ['"e30="', '"WzFd"', '"?"', '1'],
      refuses: []
    }
  ],
  'unknown keywords': [
    {
      about: 'have no effect',
      schema: { colour: 'green', minimal: 5, type: 'integer' },
      takes: ['1'],
      refuses: ['"a"']
    },
    { about: 'x- keywords', schema: { 'x-min': 5, minimum: 1 }, takes: ['2'], refuses: ['0'] }
  ],
  'numbers without an exact double': [
    {
      about: 'number',
      schema: { type: 'number' },
      takes: ['0.1', '1e300', '3.14159265358979'],
      refuses: ['"1"']
    },
    {
      about: 'bounds compare what is spelled',
      schema: { type: 'number', maximum: 9007199254740992 },
      takes: ['9007199254740992', '9007199254740992.0'],
      refuses: ['9007199254740994', '9007199254740993']
    },
    {
      about: 'an integer that no double holds is refused on purpose, unless its format is int64',
      schema: { type: 'integer' },
      takes: ['9007199254740992', '-9007199254740992', '1e20'],
      refuses: ['9007199254740993', '-9007199254740993', '1.5']
    }
  ]
}
