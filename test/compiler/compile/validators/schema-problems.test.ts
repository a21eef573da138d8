/** Warnings about the patterns of a schema. */
import t from 'tap'
import { PatternChecks } from '../../../../src/compiler/compile/validators/patterns.ts'
import { schemaProblems } from '../../../../src/compiler/compile/validators/schema-problems.ts'
import { schemaOf } from '../../../contract/schema-of.ts'

const square =
  'pattern @.*@$ of #/components/schemas/Subject takes time that grows with the square of the length: simplify it'
const nested = `${'('.repeat(3000)}a+${')'.repeat(3000)}+$`

const rows: readonly [schema: object, message?: string][] = [
  [{ pattern: '@.*@$' }, `${square}, or give it a \`maxLength\` of at most 2048`],
  [{ pattern: '@.*@$', maxLength: 4096 }, `${square}, or give it a \`maxLength\` of at most 2048`],
  [{ pattern: '@.*@$', maxLength: 2048 }],
  [{ pattern: '@.*@$', allOf: [{ maxLength: 9 }] }, `${square}, or give it a \`maxLength\` of at most 2048`],
  [{ patternProperties: { '@.*@$': {}, '^@': {} }, maxLength: 9 }, square],
  [
    { pattern: '^a*a*a*$', maxLength: 999 },
    'pattern ^a*a*a*$ of #/components/schemas/Subject takes time that grows with the cube of the length: simplify it, or give it a `maxLength` of at most 128'
  ],
  [
    { patternProperties: { '^a*a*a*a*$': true } },
    'pattern ^a*a*a*a*$ of #/components/schemas/Subject takes time that grows with power 4 of the length: simplify it'
  ],
  [
    { pattern: '^(a+)+$', maxLength: 9 },
    'pattern ^(a+)+$ of #/components/schemas/Subject takes exponential time: a short text can stop the server'
  ],
  [
    { pattern: nested },
    'the pattern takes too long to check for backtracking: simplify it, or give it a `maxLength` of at most 128'
  ],
  [{ pattern: nested, maxLength: 128 }]
]

t.test('a pattern that backtracks is a warning, unless its texts are short', async (t) => {
  for (const [schema, message] of rows) {
    const found = schemaProblems(schemaOf(schema), { view: 'request', patterns: new PatternChecks() })
    const [key] = Object.keys(schema)
    const want = message === undefined ? [] : [['warning', message, `#/components/schemas/Subject/${key}`]]
    t.strictSame(
      found.map(({ severity, message, origin }) => [severity, message, origin.pointer]),
      want,
      JSON.stringify(schema)
    )
  }
})
