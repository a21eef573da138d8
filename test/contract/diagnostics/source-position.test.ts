import { Source } from '@redocly/openapi-core'
import t from 'tap'
import { positionOf, spellingAt } from '../../../src/contract/diagnostics/source-position.ts'

const yaml = `base: &base
  limit: 0x20
  list: [a, b]
copy: *base
merged:
  <<: *base
  own: 1
several:
  <<: [*base, { other: 2 }]
empty:
"a/b": { c~d: 1 }
`
const source = new Source('/contract.yaml', yaml)

const rows: readonly (readonly [path: readonly string[], line: number, column: number])[] = [
  [[], 1, 1],
  [['base'], 1, 1],
  [['base', 'limit'], 2, 3],
  [['base', 'list', '1'], 3, 13],
  [['copy'], 4, 1],
  [['copy', 'limit'], 2, 3],
  [['merged', 'own'], 7, 3],
  [['merged', 'limit'], 2, 3],
  [['several', 'other'], 9, 17],
  [['several', 'list', '0'], 3, 10],
  [['empty'], 10, 1],
  [['empty', 'inside'], 10, 1],
  [['base', 'limit', 'inside'], 2, 3],
  [['a/b', 'c~d'], 11, 10],
  [['a/b', 'c~d'], 11, 10],
  [['nowhere'], 1, 1]
]

for (const [path, line, column] of rows)
  t.test(`the part /${path.join('/')} is at ${line}:${column}`, async (t) => {
    t.strictSame(positionOf(source, path), { line, column })
  })

t.test('the position of a value can be that of the value instead of its name', async (t) => {
  t.strictSame(positionOf(source, ['base', 'limit'], false), { line: 2, column: 10 })
})

t.test('a scalar is returned as it is written', async (t) => {
  t.equal(spellingAt(source, ['base', 'limit']), '0x20')
  t.equal(spellingAt(source, ['merged', 'limit']), '0x20')
  t.not(typeof spellingAt(source, ['base']), 'string')
})

t.test('a !!binary scalar leaves all positions as they are', async (t) => {
  const binary = new Source('/binary.yaml', 'a: !!binary aGk=\nb: { c: 1 }\n')
  t.strictSame(positionOf(binary, ['b', 'c']), { line: 2, column: 6 })
})

t.test('a file on which the parser throws has one position', async (t) => {
  const unreadable = new Source('/unreadable.yaml', 'a: !<tag:yaml.org,2002:binary> aGk=\nb: 1\n')
  t.strictSame(positionOf(unreadable, ['b']), { line: 1, column: 1 })
})

t.test('lines may end in CRLF', async (t) => {
  const windows = new Source('/windows.yaml', yaml.replaceAll('\n', '\r\n'))
  t.strictSame(positionOf(windows, ['merged', 'own']), { line: 7, column: 3 })
})
