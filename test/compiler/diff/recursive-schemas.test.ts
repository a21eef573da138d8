/** A schema that is a branch of itself, which JSON Schema leaves undefined, ends the comparison. */
import t from 'tap'
import { compareContracts } from '../../../src/compiler/diff/compare-contracts.ts'

function document(required: boolean, maxLength: number) {
  const itself = { $ref: '#/components/schemas/Text' }
  const content = { 'application/json': { schema: itself } }
  const responses = { 200: { description: 'x' } }
  return {
    openapi: '3.1.0',
    paths: { '/a': { post: { requestBody: { required, content }, responses } } },
    components: { schemas: { Text: { anyOf: [itself, { type: 'string', maxLength }, { allOf: [itself] }] } } }
  }
}

t.test('a union that contains itself', async (t) => {
  const locate = () => ({ file: '', line: 1, column: 1 })
  const [old, now] = [document(false, 5), document(true, 6)]
  const { breaking } = compareContracts({ old, now, locate, today: new Date(0) })
  t.match(breaking, [{ rule: 'request-body-became-required' }])
})
