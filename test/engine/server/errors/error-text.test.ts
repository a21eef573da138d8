import t from 'tap'
import type {
  CompiledCode,
  ResponseContent,
  Validator
} from '../../../../src/engine/model/compiled-contract.ts'
import { errorText } from '../../../../src/engine/server/errors/error-response.ts'

const isObject = Object.assign(((value: unknown) => typeof value === 'object') as Validator, {
  errors: [{ instancePath: '/a', schemaPath: '', keyword: 'type', params: { type: 'integer' } }]
})
const code: CompiledCode = {
  validators: { object: isObject },
  serializers: { object: () => '"serialized"' }
}
const json: ResponseContent = { mediaType: 'a/b+json', kind: 'json', validate: 'object', serialize: 'object' }
const text: ResponseContent = { mediaType: 'text/plain', kind: 'text' }

t.test('an error body is serialized by its schema, or as plain JSON if it does not fit', async (t) => {
  const rows: [body: unknown, ResponseContent | undefined, CompiledCode | undefined, want: object][] = [
    [{}, json, code, { text: '"serialized"', mediaType: 'a/b+json' }],
    [{}, json, undefined, { text: '{}', mediaType: 'a/b+json' }],
    [5, json, code, { text: '5', mediaType: 'a/b+json', unfit: 'body/a must be integer' }],
    ['x', text, code, { text: 'x', mediaType: 'text/plain' }],
    [
      5,
      text,
      code,
      { text: '5', mediaType: 'application/json', unfit: 'body is not a text, as text/plain is' }
    ],
    [
      {},
      { ...json, mediaType: '*/*', kind: 'binary' },
      code,
      { text: '"serialized"', mediaType: 'application/json' }
    ],
    [5, undefined, code, { text: '5', mediaType: 'application/json' }],
    [undefined, json, code, { text: undefined, mediaType: 'application/json' }]
  ]
  for (const [body, content, compiled, want] of rows)
    t.same(errorText(body, content, compiled), want, `${body} as ${content?.mediaType}`)
  t.throws(() => errorText(1n, undefined, code), TypeError)
})
