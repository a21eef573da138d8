import t from 'tap'
import { formatChanges } from '../../../../src/compiler/command/generate/format-changes.ts'
import { changesOf } from '../../../../src/compiler/compile/diff/diff.ts'
import type { Json, JsonObject } from '../../../../src/compiler/compile/document/json-value.ts'

/**
 * @param operation operation of GET /plants
 * @param schemas schemas of components
 */
function contract(operation: JsonObject, schemas: JsonObject = {}, rest: JsonObject = {}): JsonObject {
  const responses = { 200: { description: 'ok' } }
  return {
    openapi: '3.1.0',
    info: { title: 'Plants', version: '1.0.0' },
    security: [{ bearer: [] }],
    paths: { '/plants': { get: { operationId: 'listPlants', responses, ...operation } } },
    components: { schemas, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    ...rest
  }
}

const changes = (before: JsonObject | undefined, after: JsonObject): string =>
  formatChanges(changesOf(before, after))

const plant = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  Plant: { type: 'object', properties, ...rest }
})
const name = { name: { type: 'string' } }
const limit = (rest: JsonObject): JsonObject => ({
  parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' }, ...rest }]
})
const answer = (schema: Json, status = '200'): JsonObject => ({
  responses: { [status]: { description: 'ok', content: { 'application/json': { schema } } } }
})
const body = (rest: JsonObject): JsonObject => ({
  requestBody: { content: { 'application/json': { schema: true } }, ...rest }
})

t.test('schemas', async (t) => {
  const rows: [JsonObject, JsonObject, string][] = [
    [{}, plant(name), '+ Plant'],
    [plant(name), {}, '- Plant'],
    [plant(name), plant(name, { required: ['name'] }), 'Plant.name now required'],
    [plant(name, { required: ['name'] }), plant(name), 'Plant.name now optional'],
    [plant(name), plant({ ...name, tag: {} }), '+ Plant.tag'],
    [plant(name), plant({ ...name, tag: {} }, { required: ['tag'] }), '+ Plant.tag (required)'],
    [plant(name), plant({}), '- Plant.name'],
    [
      plant(name),
      plant({ name: { type: 'integer', format: 'int64' } }),
      'Plant.name now integer int64 (was string)'
    ],
    [
      plant(name),
      plant({ name: { type: ['string', 'null'] } }),
      'Plant.name now string or null (was string)'
    ],
    [plant(name), plant({ name: {} }), 'Plant.name now any type (was string)'],
    [plant({ a: { $ref: '#/components/schemas/A' } }), plant({ a: { $ref: 'B' } }), 'Plant.a now B (was A)'],
    [plant(name), plant({ name: { type: 'string', maxLength: 9 } }), 'Plant.name maxLength now 9'],
    [
      plant({ name: { type: 'string', maxLength: 9 } }),
      plant({ name: { type: 'string', maxLength: 10 } }),
      'Plant.name maxLength now 10 (was 9)'
    ],
    [plant({ name: { type: 'string', maxLength: 9 } }), plant(name), 'Plant.name without maxLength'],
    [plant({ n: { enum: ['a'] } }), plant({ n: { enum: ['a', 'b'] } }), 'Plant.n: + b'],
    [plant({ n: { enum: ['a', 1] } }), plant({ n: { enum: ['b', 1] } }), 'Plant.n: + b, - a'],
    [
      plant({ n: { enum: ['a', 'b'] } }),
      plant({ n: { enum: ['b', 'a'] } }),
      'Plant.n has another order of enum'
    ],
    [
      plant({ n: { maximum: 2n ** 62n } }),
      plant({ n: { maximum: 2n ** 62n + 1n } }),
      `Plant.n maximum now ${2n ** 62n + 1n} (was ${2n ** 62n})`
    ],
    [plant({ n: true }), plant({ n: false }), 'Plant.n has another not'],
    [
      plant({ n: { items: { type: 'string' } } }),
      plant({ n: { items: { type: 'null' } } }),
      'Plant.n[] now null (was string)'
    ],
    [
      plant({}, { additionalProperties: { type: 'string' } }),
      plant({}, { additionalProperties: { type: 'number' } }),
      'Plant.* now number (was string)'
    ],
    [plant({}), plant({}, { additionalProperties: false }), 'Plant additionalProperties now false'],
    [
      { New: { allOf: [{ $ref: '#/P' }, { properties: name }] } },
      { New: { allOf: [{ $ref: '#/P' }, { properties: name, required: ['name'] }] } },
      'New.name now required'
    ],
    [{ New: { allOf: [{ $ref: '#/P' }] } }, { New: { allOf: [{ $ref: '#/Q' }] } }, 'New has another allOf'],
    [
      plant({ title: { type: 'string' } }),
      plant({ title: { type: 'null' } }),
      'Plant.title now null (was string)'
    ]
  ]
  for (const [before, after, want] of rows) {
    t.equal(changes(contract({}, before), contract({}, after)), `schemas: ${want}`, want)
  }
})

t.test('operations', async (t) => {
  const rows: [JsonObject, JsonObject, string][] = [
    [{}, { operationId: 'findPlants' }, '+ findPlants, - listPlants'],
    [{}, limit({}), 'listPlants + query limit'],
    [{}, limit({ required: true }), 'listPlants + query limit (required)'],
    [limit({}), {}, 'listPlants - query limit'],
    [limit({}), limit({ required: true }), 'listPlants query limit now required'],
    [limit({ required: true }), limit({}), 'listPlants query limit now optional'],
    [limit({}), limit({ schema: { type: 'string' } }), 'listPlants query limit now string (was integer)'],
    [limit({}), limit({ explode: false }), 'listPlants query limit changed'],
    [{}, body({}), 'listPlants + body'],
    [body({}), {}, 'listPlants - body'],
    [body({}), body({ required: true }), 'listPlants body now required'],
    [
      body({}),
      body({ content: { 'text/plain': {} } }),
      'listPlants body + text/plain, listPlants body - application/json'
    ],
    [
      body({ content: { 'application/json': { schema: plant(name)['Plant'] ?? {} } } }),
      body({ content: { 'application/json': { schema: plant({})['Plant'] ?? {} } } }),
      'listPlants - body.name'
    ],
    [
      body({}),
      body({ content: { 'application/json': { schema: true, encoding: {} } } }),
      'listPlants body changed'
    ],
    [answer(true), answer({ type: 'null' }), 'listPlants 200 now null (was any type)'],
    [answer(true), answer(true, '201'), 'listPlants + 201, listPlants - 200'],
    [answer(true), { responses: { 200: { description: 'ok' } } }, 'listPlants 200 - application/json'],
    [
      {},
      { responses: { 200: { description: 'ok', headers: { Etag: {} } } } },
      'listPlants 200 headers changed'
    ],
    [{}, { responses: { 200: { description: 'ok', links: {} } } }, 'listPlants 200 changed'],
    [{}, { security: [] }, 'listPlants security now none (was bearer)'],
    [
      { security: [{}] },
      { security: [{ a: ['read'], b: [] }, { bearer: [] }] },
      'listPlants security now a (read) and b or bearer (was none)'
    ],
    [{}, { deprecated: true }, 'listPlants deprecated changed']
  ]
  for (const [before, after, want] of rows)
    t.equal(changes(contract(before), contract(after)), `operations: ${want}`, want)
})

t.test('an operation that has moved, or has no name', async (t) => {
  const at = (path: string, operation: JsonObject): JsonObject => ({ paths: { [path]: { get: operation } } })
  t.equal(changes(at('/a', { operationId: 'x' }), at('/b', { operationId: 'x' })), 'operations: x now GET /b')
  t.equal(changes(at('/a', {}), at('/b', {})), 'operations: + GET /b, - GET /a')
})

t.test('other changes', async (t) => {
  const base = contract({})
  const rows: [JsonObject | undefined, JsonObject, string][] = [
    [base, base, 'nothing has changed'],
    [
      base,
      contract({}, {}, { info: { title: 'Herbs', version: '2' } }),
      'contract: version now 2, title now Herbs'
    ],
    [base, contract({}, {}, { servers: [] }), 'contract: servers changed'],
    [base, contract({ summary: 'List', 'x-note': 1 }), 'descriptions: changed; nothing else has'],
    [
      base,
      contract(
        {},
        {},
        { components: { securitySchemes: { bearer: { type: 'http', scheme: 'basic' }, key: {} } } }
      ),
      'security schemes: + key, bearer changed'
    ],
    [undefined, base, 'operations: + listPlants   security schemes: + bearer']
  ]
  for (const [before, after, want] of rows) t.equal(changes(before, after), want, want)
})
