/** Shapes that fast-json-stringify does not support are written as exactly as the others. */
import t from 'tap'
import { type Json, request, serve } from '../../../engine/serve.ts'

const int64: Json = { type: 'integer', format: 'int64' }

/** Returns nested object schemas, with `leaf` in the last one. */
function nested(depth: number, leaf: Json): Json {
  let schema: Json = { type: 'object', properties: { leaf } }
  for (let left = depth; left > 0; left--) schema = { type: 'object', properties: { in: schema } }
  return schema
}

function value(depth: number, leaf: unknown): unknown {
  let result: unknown = { leaf, extra: 1 }
  for (let left = depth; left > 0; left--) result = { in: result, extra: 1 }
  return result
}

t.test('objects as deep as they like', async (t) => {
  const ok = { description: '', content: { 'application/json': { schema: nested(40, int64) } } }
  const paths = { '/deep': { get: { operationId: 'deep', responses: { 200: ok } } } }
  const body = value(40, 9007199254740993n)
  const { ask } = await serve(t, { paths }, { handlers: { deep: () => ({ status: 200, body }) } })
  const answer = await ask(request('GET /deep'))
  t.equal(answer.body, `${'{"in":'.repeat(40)}{"leaf":9007199254740993}${'}'.repeat(40)}`)
})
