import { test } from 'tap'
import { namesIn, placesOf } from '../../../src/service/observability/places.ts'

const document = JSON.stringify({
  properties: { labels: {}, 'a"b': {} },
  parameters: [{ name: 'X-Trace' }]
})

test('names are the property names of the document, and its parameters in any case', async (t) => {
  const names = namesIn(document)
  for (const name of ['labels', 'X-Trace', 'x-trace']) t.ok(names.has(name), name)
  t.notOk(names.has('hunter2'))
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
