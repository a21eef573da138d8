import { join } from 'node:path'
import t from 'tap'
import { operationNodes } from '../../../src/contract/document/operation-objects.ts'
import { atPointer } from '../../../src/contract/document/reference.ts'
import { loadContract } from '../../../src/contract/load/load.ts'
import { objectOf } from '../../../src/contract/model/json.ts'

t.test('the document of a contract has its operations, with their places in its files', async (t) => {
  const folder = t.testdir({
    'openapi.yaml': `openapi: 3.1.0
info: { title: Bells, version: '1' }
paths:
  /bells:
    $ref: bells.yaml
`,
    'bells.yaml': `
get:
  operationId: listBells
  responses:
    '204': { description: no bells }
`
  })
  const { document, locator } = await loadContract(join(folder, 'openapi.yaml'))
  const [bells] = operationNodes(document)
  t.match(bells, { path: '/bells', method: 'GET' })
  const responses = objectOf(atPointer(document, '#/paths/~1bells/get/responses'))
  t.match(locator.problem('error', 'no success', responses, '204'), {
    file: join(folder, 'bells.yaml'),
    line: 5,
    column: 5
  })
})
