/** A JSON text is read as YAML reads it, and its parts have the same places. */
import { parseYaml, Source } from '@redocly/openapi-core'
import t from 'tap'
import { jsonValue } from '../../../src/contract/diagnostics/json-text.ts'
import {
  locateAsJson,
  namesAt,
  positionOf,
  spellingAt
} from '../../../src/contract/diagnostics/source-position.ts'

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

for (const [what, text] of [
  ['members of one name', '{"a": 1, "a": 2}'],
  ['members of one name, written in two ways', '{"a": 1, "\\u0061": 2}'],
  ['a number beyond all doubles', '{"a": [1e400]}'],
  ['too many levels', `{"a": ${nested(90)}}`],
  ['a comment', '{"a": 1} # one'],
  ['block style', 'a: 1'],
  ['nothing', '']
] as const)
  t.test(`a text is left to the parser of YAML: ${what}`, async (t) => {
    t.equal(jsonValue(text), undefined)
  })

const text = `
{ "text": "a \\"quoted\\": {\\\\", "escaped\\"name\\\\":{"é\\u00e9":"\\ud83d\\ude00"},
\t"list" : [ 1, -0.5e3 ,[], {"deep": [true , null, {"__proto__": "x"}]}, "]}" ],"" : {} ,
  "2": 2, "1": 9007199254740993,
  "<<": { "merged": false }
}
`

t.test('a text has the same value', async (t) => {
  const value = jsonValue(text)
  t.strictSame(value, parseYaml(text))
  t.strictSame(JSON.stringify(value), JSON.stringify(parseYaml(text)))
  t.strictSame(jsonValue(`{"a": ${nested(70)}}`), parseYaml(`{"a": ${nested(70)}}`))
})

function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  const inner = Object.entries(value).flatMap(([key, member]) =>
    pathsIn(member).map((path) => [key, ...path])
  )
  return [[], ...inner]
}

t.test('the parts of a text have the same places and spellings', async (t) => {
  const [yaml, json] = [new Source('/a.json', text), new Source('/b.json', text)]
  locateAsJson(json)
  const paths = pathsIn(jsonValue(text))
  t.ok(paths.length > 15)
  for (const path of [...paths, ['merged'], ['nowhere'], ['text', 'inside'], ['list', '9']]) {
    t.strictSame(positionOf(json, path), positionOf(yaml, path), path.join('/'))
    t.strictSame(positionOf(json, path, false), positionOf(yaml, path, false), path.join('/'))
    t.strictSame(spellingAt(json, path), spellingAt(yaml, path), path.join('/'))
    t.strictSame(namesAt(json, path), namesAt(yaml, path), path.join('/'))
  }
})
