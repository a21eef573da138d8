import { test } from 'tap'
import type { Contract, Operation } from '../../../src/engine/server.ts'
import { unknownQuery } from '../../../src/service/observability/request-log.ts'

const securitySchemes: Contract['securitySchemes'] = {
  bearer: { type: 'http', scheme: 'bearer' },
  header: { type: 'apiKey', in: 'header', name: 'other' },
  query: { type: 'apiKey', in: 'query', name: 'api_key' }
}

type Parameter = Operation['parameters'][number]

const parameter = (key: string, rest: Partial<Parameter> = {}): Parameter => ({
  name: key,
  key,
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  shape: { types: ['string'] },
  ...rest
})

const operation = (...parameters: Parameter[]) => ({ parameters }) as unknown as Operation

const rows: readonly [url: string, parameters: readonly Parameter[], want: readonly string[]][] = [
  ['/plants', [], []],
  ['/plants?lmit=1&limit=2&lmit=3', [parameter('limit')], ['lmit']],
  ['/plants?id=1', [parameter('id', { in: 'path' })], ['id']],
  ['/plants?api_key=secret&other=1', [], ['other']],
  ['/plants?a%20b=1', [parameter('a b')], []],
  [
    '/plants?filter[tag]=x&filters[tag]=x',
    [parameter('filter', { style: 'deepObject', shape: { types: [], properties: {} } })],
    ['filters[tag]']
  ],
  [
    '/plants?x=1&z=1',
    [parameter('point', { shape: { types: [], properties: { x: { types: [] } } } })],
    ['z']
  ],
  ['/plants?x=1', [parameter('any', { shape: { types: [], additional: { types: [] } } })], []],
  [
    '/plants?x=1',
    [parameter('any', { explode: false, shape: { types: [], additional: { types: [] } } })],
    ['x']
  ],
  // What stands in a query that is one value is no name.
  ['/plants?%7B%22secret%22%3A1%7D', [parameter('whole', { in: 'querystring' })], []]
]

test('only names that the operation declares nowhere are unknown', async (t) => {
  for (const [url, parameters, want] of rows)
    t.strictSame(unknownQuery({ securitySchemes })(url, operation(...parameters)), want, url)
})

test('a few names are listed, and only their beginnings', async (t) => {
  const url = `/plants?${Array.from({ length: 50 }, (_, index) => `${index}${'x'.repeat(1000)}`).join('&')}`
  const names = unknownQuery({ securitySchemes })(url, operation())
  t.equal(names.length, 10)
  for (const name of names) t.equal(name.length, 64)
})
