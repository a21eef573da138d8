/** The summary of a run says what the comparison of contracts finds. */
import t from 'tap'
import { changesOf } from '../../../../src/compiler/command/generate/report.ts'
import type { JsonObject } from '../../../../src/contract/model/json.ts'

const contractOf = (maximum: number | bigint, others: JsonObject = {}): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {
    '/a': {
      post: {
        operationId: 'a',
        requestBody: { content: { 'application/json': { schema: { type: 'integer', maximum } } } },
        responses: { 200: { description: '' } }
      }
    }
  },
  ...others
})
const before = contractOf(2n ** 60n)

/** Documents before and after, and the sentences of the run. */
const rows: readonly (readonly [JsonObject | undefined, JsonObject, Readonly<Record<string, string[]>>])[] = [
  [before, contractOf(2n ** 60n), {}],
  [undefined, before, { 'first compile': ['there is no earlier contract to compare with'] }],
  [
    undefined,
    contractOf(1, { servers: [{ url: '/v1' }], webhooks: { done: { post: { responses: {} } } } }),
    { 'first compile': ['there is no earlier contract to compare with'] }
  ],
  [
    before,
    contractOf(2n ** 60n + 1n),
    { compatible: ['POST /a body: maximum now 1152921504606846977 (was 1152921504606846976)'] }
  ],
  [before, contractOf(1), { breaking: ['POST /a body: maximum now 1 (was 1152921504606846976)'] }],
  [before, { ...before, paths: {} }, { breaking: ['POST /a is gone'] }],
  [
    before,
    contractOf(2n ** 60n, { tags: [{ name: 'new' }] }),
    { descriptions: ['changed; nothing that is sent or received has'] }
  ]
]

t.test('changes since the contract was compiled last', async (t) => {
  for (const [before, after, changes] of rows)
    t.strictSame(Object.fromEntries(await changesOf({ before, after })), changes)
})
