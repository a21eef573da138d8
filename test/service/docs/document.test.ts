import t from 'tap'
import contract from '../../../generated/contract.ts'
import type { Contract } from '../../../src/contract/server.ts'
import { openapiJson } from '../../../src/service/docs/document.ts'

t.test('the document of the contract, to the letter', async (t) => {
  t.equal(await openapiJson(contract), await contract.document())
})

t.test('numbers stay as they are spelled', async (t) => {
  const text =
    '{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"x":[9223372036854775807,1.0,1e400,-0,2]}'
  const document = async () => text
  t.equal((await openapiJson({ document } as unknown as Contract)).replaceAll(/\s/g, ''), text)
})
