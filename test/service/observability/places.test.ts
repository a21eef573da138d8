import { test } from 'tap'
import contract from '../../../generated/contract.ts'
import { openApiJson } from '../../../src/engine/server.ts'
import { namesIn, placesOf } from '../../../src/service/observability/refusals.ts'

const document = JSON.stringify({
  properties: { labels: {}, 'a"b': {} },
  parameters: [{ name: 'X-Trace' }]
})

const yaml = `# pastel: a colour
properties:
  labels: { type: object, properties: { "inner": {}, 'it is': {}, plain: {}, next: {} } }
  'a b':
    description: "hunter2"
parameters:
  - name: X-Trace # hunter2
    in: header
  - { in: query, name: 'Page' }
  -   schema: { type: array, items: [a, b], default: hunter2 }
      "quoted" : hunter2
      https://x.example: hunter2
`

test('names are the property names of the document, and its parameters in any case', async (t) => {
  const names = namesIn(document)
  for (const name of ['labels', 'X-Trace', 'x-trace', 'properties', 'parameters']) t.ok(names.has(name), name)
  t.notOk(names.has('hunter2'))
  const written = namesIn(yaml)
  for (const name of [
    'labels',
    'inner',
    'it is',
    'plain',
    'next',
    'a b',
    'X-Trace',
    'x-trace',
    'Page',
    'quoted'
  ])
    t.ok(written.has(name), name)
  for (const name of ['hunter2', 'pastel', 'a', 'b']) t.notOk(written.has(name), name)
})

test('every name of the contract is found', async (t) => {
  const written = namesIn(await contract.yaml())
  const missing = namesIn(openApiJson(await contract.yaml())).difference(written)
  t.strictSame(
    [...missing].filter((name) => !/[{}]/.test(name)),
    []
  )
})

const places: readonly (readonly [place: string, want: string])[] = [
  ['body', 'body'],
  ['body/labels/hunter2', 'body/labels/*'],
  ['body/labels/12', 'body/labels/12'],
  ['body/4111111111111111', 'body/*'],
  ['headers/x-trace', 'headers/x-trace'],
  ['query/hunter2', 'query/*']
]

test('segments that the contract does not name are hidden', async (t) => {
  for (const [place, want] of places) t.equal(placesOf(place, namesIn(document)), want)
})
