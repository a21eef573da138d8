/** YAML is read as Redocly reads it. */
import { BaseResolver, Source, YamlParseError } from '@redocly/openapi-core'
import t from 'tap'
import { YamlError, yamlValue } from '../../../src/contract/diagnostics/yaml-text.ts'

const texts = [
  '',
  ' \n',
  '# only a comment\n',
  '---\n...\n',
  'a: 1\n---\nb: 2\n',
  'a: [yes, no, on, null, ~, 0o17, 0x1F, 017, 1e3, .inf, .nan, 2024-01-01, 12:30]',
  'a: 9223372036854775807\nb: 1_000',
  'a: &a { b: 1 }\nc: { <<: *a, d: 2 }\ne: *a',
  '!!binary aGk=',
  'a: !!set { b, c }\nd: !!omap [e: 1]\nf: !!pairs [g: 1, g: 2]',
  'a: !!str 1\nb: !!int "2"\nc: !own d',
  'a: 1\na: 2',
  'a: *missing',
  'a: [1, 2',
  'a: "open\nb: 1\n',
  'a:\n  - b\n c: d',
  'a: b: c',
  '\ta: 1',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  'a: \u0000'
]

for (const text of texts)
  t.test(JSON.stringify(text.slice(0, 30)), async (t) => t.strictSame(ours(text), redoclys(text)))

function ours(text: string): unknown {
  try {
    return yamlValue({ absoluteRef: '/a.yaml', body: text })
  } catch (error) {
    t.type(error, YamlError)
    const { message, position } = error as YamlError
    return { reason: message.replace(', or a quote is open above', ''), ...position }
  }
}

function redoclys(text: string): unknown {
  try {
    return new BaseResolver().parseDocument(new Source('/a.yaml', text)).parsed
  } catch (error) {
    t.type(error, YamlParseError)
    const { message, line, col } = error as YamlParseError
    const [reason] = message.split(' in "/a.yaml"')
    return { reason, line: line || 1, column: col || 1 }
  }
}
