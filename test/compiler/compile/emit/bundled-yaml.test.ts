import { parseYaml } from '@redocly/openapi-core'
import { test } from 'tap'
import { bundledYaml } from '../../../../src/compiler/compile/emit/contract-module.ts'

test('the text equals the document, with exact bigints and without anchors', async (t) => {
  const shared = { type: 'string' }
  const document = {
    openapi: '3.1.0',
    info: { title: 'yes', version: '1.0', description: 'two\nlines' },
    paths: { '/a/{b}': { get: { responses: { '200': shared, default: shared } } } },
    'x-bounds': [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 1e21, 0.1, null, true, '12', '']
  }
  const text = bundledYaml(document as never)
  const parsed = parseYaml(text) as typeof document
  t.strictSame(parsed['paths'], document.paths)
  t.match(text, /^ {2}- 9223372036854775807$/m)
  t.match(text, /^ {2}- -9223372036854775808$/m)
  t.strictSame(parsed['x-bounds'].slice(2), [1e21, 0.1, null, true, '12', ''])
  t.strictSame(parsed['info'], document.info)
  t.notMatch(text, /[&*]ref/)
})
