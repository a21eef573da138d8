/** Keywords for numbers and strings (JSON Schema Validation, 6.2 and 6.3). Values of other types are accepted. */
import type { Table } from './table.ts'

const others = ['null', 'true', '[]', '{}']

export const numbersAndStrings: Table = {
  minimum: [
    {
      about: 'inclusive',
      schema: { minimum: 1.5 },
      takes: ['1.5', '15e-1', '2', '1e300', '"1"', ...others],
      refuses: ['1.4999', '0', '-2']
    },
    {
      about: 'negative',
      schema: { minimum: -3 },
      takes: ['-3', '-3.0', '-2.99', '0'],
      refuses: ['-3.01', '-1e9']
    }
  ],
  maximum: [
    {
      about: 'inclusive',
      schema: { maximum: 20 },
      takes: ['20', '20.0', '2e1', '-50', '"21"', ...others],
      refuses: ['20.0001', '21']
    },
    { about: 'zero', schema: { maximum: 0 }, takes: ['0', '-0', '-1'], refuses: ['0.1', '1e-9'] }
  ],
  exclusiveMinimum: [
    {
      about: 'the bound itself is refused',
      schema: { exclusiveMinimum: 2 },
      takes: ['2.1', '3', '"2"', ...others],
      refuses: ['2', '2.0', '1']
    },
    {
      about: 'together with minimum',
      schema: { exclusiveMinimum: 2, minimum: 1 },
      takes: ['2.5'],
      refuses: ['2', '1.5']
    }
  ],
  exclusiveMaximum: [
    {
      about: 'the bound itself is refused',
      schema: { exclusiveMaximum: 2 },
      takes: ['1.9', '-7', '"2"', ...others],
      refuses: ['2', '20e-1', '3']
    }
  ],
  multipleOf: [
    {
      about: 'an integer',
      schema: { multipleOf: 4 },
      takes: ['0', '8', '-12', '8.0', '"9"', ...others],
      refuses: ['9', '2', '4.5']
    },
    {
      about: 'a decimal, which no double is exactly',
      schema: { multipleOf: 0.01 },
      takes: ['0.07', '19.99', '4.35', '1.1', '0', '123456789.01', '-0.29'],
      refuses: ['0.075', '19.999', '0.001']
    },
    {
      about: 'a small decimal',
      schema: { multipleOf: 0.0001 },
      takes: ['0.0075', '0.0001', '3'],
      refuses: ['0.00751', '0.00001']
    },
    {
      about: 'in scientific notation',
      schema: { multipleOf: 1e-8 },
      takes: ['12391239123', '1.5e-7', '3e-8'],
      refuses: ['1.5e-8', '1e-9']
    },
    {
      about: 'large numbers',
      schema: { multipleOf: 3 },
      takes: ['9007199254740990', '3e20'],
      refuses: ['9007199254740991', '1e21']
    },
    {
      about: 'the largest exponents',
      schema: { type: 'number', multipleOf: 0.5 },
      takes: ['1e308', '-1e308'],
      refuses: ['0.25']
    },
    {
      about: 'with integer, both apply',
      schema: { type: 'integer', multipleOf: 0.5 },
      takes: ['1', '2.0'],
      refuses: ['1.5', '0.5']
    }
  ],
  minLength: [
    {
      about: 'counts code points, not UTF-16 units',
      schema: { minLength: 2 },
      takes: ['"ab"', '"🌱🌱"', '"e\\u0301"', '12', ...others],
      refuses: ['"a"', '""', '"🌱"', '"\\ud83c\\udf31"']
    },
    { about: 'zero', schema: { minLength: 0 }, takes: ['""', '"a"'], refuses: [] },
    {
      about: 'a bound with a fraction of zero',
      schema: { minLength: 2.0 },
      takes: ['"ab"'],
      refuses: ['"a"']
    }
  ],
  maxLength: [
    {
      about: 'counts code points, not UTF-16 units',
      schema: { maxLength: 2 },
      takes: ['"ab"', '"🌱🌱"', '""', '123', '["a","b","c"]'],
      refuses: ['"abc"', '"🌱🌱🌱"', '"e\\u0301a"']
    },
    { about: 'zero', schema: { maxLength: 0 }, takes: ['""'], refuses: ['" "', '"\\u0000"'] }
  ],
  pattern: [
    {
      about: 'found anywhere unless anchored',
      schema: { pattern: 'oa+k' },
      takes: ['"an oak"', '"oaaak!"', '5', ...others],
      refuses: ['"ok"', '"OAK"', '""']
    },
    {
      about: 'anchored',
      schema: { pattern: '^[a-z]{2,3}$' },
      takes: ['"ab"', '"abc"'],
      refuses: ['"a"', '"abcd"', '"ab\\n"', '" ab"']
    },
    {
      about: 'Unicode properties',
      schema: { pattern: '^\\p{Letter}+$' },
      takes: ['"Bäume"', '"木"'],
      refuses: ['"a1"', '""']
    },
    {
      about: 'one character beyond the BMP',
      schema: { pattern: '^.$' },
      takes: ['"🌱"', '"a"'],
      refuses: ['"🌱🌱"', '""']
    },
    {
      about: 'a class of characters beyond the BMP',
      schema: { pattern: '^[🌱-🌳]+$' },
      takes: ['"🌲"', '"🌱🌳"'],
      refuses: ['"🍀"', '"a"']
    },
    {
      about: '\\d means ASCII digits',
      schema: { pattern: '^\\d$' },
      takes: ['"7"'],
      refuses: ['"٧"', '"７"']
    },
    {
      about: '\\w means ASCII letters, digits and _',
      schema: { pattern: '^\\w$' },
      takes: ['"a"', '"_"'],
      refuses: ['"é"', '"木"']
    },
    {
      about: '\\s means every white space of ECMAScript',
      schema: { pattern: '^\\s$' },
      takes: ['" "', '"\\u00a0"', '"\\ufeff"', '"\\u2029"'],
      refuses: ['"\\u0001"', '"\\u200b"']
    },
    {
      about: 'look-ahead',
      schema: { pattern: '^(?=.*\\d)(?!.*!).+$' },
      takes: ['"a1"'],
      refuses: ['"a"', '"a1!"']
    },
    {
      about: 'control letters',
      schema: { pattern: '^\\cC$' },
      takes: ['"\\u0003"'],
      refuses: ['"C"', '"\\\\cC"']
    },
    {
      about: '$ ends the text, not a line',
      schema: { pattern: '^a$' },
      takes: ['"a"'],
      refuses: ['"a\\n"', '"b\\na"']
    }
  ]
}
