/** Reports of a schema: malformed keywords, those without effect, and slow patterns. */
import t from 'tap'
import { PatternChecks } from '../../../../src/compiler/compile/validators/patterns.ts'
import type { View } from '../../../../src/compiler/compile/validators/reading.ts'
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

const keywords: readonly [schema: object, ...messages: string[]][] = [
  [{ minLength: -1 }, 'error minLength must be a whole number, at least 0: it is -1'],
  [{ title: 1, readOnly: 'yes', format: 5, 'x-a': 1, $comment: 'a' }],
  [
    { foo: 1, minlength: 2 },
    'warning keyword `foo` is not known and has no effect',
    'warning keyword `minlength` is not known and has no effect: did you mean `minLength`?'
  ],
  [{ format: 'emial' }, 'warning format `emial` is not known and is not enforced; did you mean email?'],
  [{ format: 'password' }],
  [
    { contentEncoding: 'base64' },
    'warning contentEncoding base64 is an annotation and is not enforced: a text in no encoding is valid'
  ],
  [
    { contentMediaType: 'image/png', contentSchema: {} },
    'warning `contentMediaType` is not enforced: only parts of multipart bodies have a media type',
    'warning `contentSchema` is not enforced: only parts of multipart bodies have a media type'
  ]
]

t.test('a malformed keyword is an error, one without effect a warning', async (t) => {
  const messagesOf = (schema: object, view: View) =>
    schemaProblems(schemaOf(schema), { view, patterns: new PatternChecks() }).map(
      ({ severity, message }) => `${severity} ${message}`
    )
  for (const [schema, ...messages] of keywords)
    t.strictSame(messagesOf(schema, 'request'), messages, JSON.stringify(schema))
  t.strictSame(messagesOf({ contentMediaType: 'image/png' }, 'multipart'), [], 'it is that of the part')
})
