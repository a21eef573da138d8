/** docs/tracing.md: its packages, its collector, and the attributes that it lists, against those of a request. */
import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import t from 'tap'
import { type Json, request, serve } from '../engine/serve.ts'
import { serverSpan, spansOf } from '../engine/server/tracing/provider.ts'

const page = readFileSync('docs/tracing.md', 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
const textIn = (language: string) => blocks.find(([, name]) => name === language)?.[2] ?? ''

t.test('otel.js imports what is installed', async (t) => {
  const [, installed = ''] = /^npm install (.*)$/m.exec(page) ?? []
  const imported = [...textIn('js').matchAll(/from '(.*)'/g)].map(([, name]) => name)
  t.strictSame(imported, ['@opentelemetry/sdk-node'])
  for (const name of imported) t.ok(installed.split(' ').includes(String(name)))
})

t.test('the pipelines of the collector have parts that are configured', async (t) => {
  const config = load(textIn('yaml')) as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const [traces = {}] = Object.values(Object(config['service']).pipelines) as Record<string, string[]>[]
  t.strictSame(Object.keys(traces), ['receivers', 'processors', 'exporters'])
  for (const [kind, names] of Object.entries(traces))
    t.strictSame([...names].sort(), Object.keys(config[kind] ?? {}).sort(), kind)
})

const json = { description: 'ok', content: { 'application/json': {} } }
const document: Json = {
  paths: {
    '/things': {
      post: {
        operationId: 'makeThing',
        security: [{ bearer: [] }],
        requestBody: { required: true, content: { 'application/json': {} } },
        responses: { 200: json }
      }
    }
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }
}

t.test('the page lists every attribute of the one span of a request, and no other one', async (t) => {
  const security = { bearer: () => true }
  const handlers = {
    makeThing: () => {
      throw new Error('x')
    }
  }
  const { ask } = await serve(t, document, { security, handlers })
  const headers = { Authorization: 'Bearer x', 'User-Agent': 'x', Host: 'things.example:80' }
  const spans = await spansOf(() => ask(request('POST /things', '{}', headers)))
  const [, section = ''] = /^## What a trace shows\n(.*?)^## /ms.exec(page) ?? []
  const rows = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell)
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([\w. ]+)`/g)].map(([, name = '']) => name))
  const server = serverSpan(spans)
  t.equal(spans.length, 1)
  t.strictSame(named.sort(), Object.keys(server.attributes).sort())
})
