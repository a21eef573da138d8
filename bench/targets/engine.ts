/** The engine alone: the contract, a handler that answers at once, and none of what a service has around it. */
import contract from '../../generated/contract.ts'
import { createContractServer } from '../../src/contract/server.ts'
import { errorBody } from '../../src/plants/failures.ts'

const principal = { id: 'benchmark' }
const app = await createContractServer({
  contract,
  handlers: {
    createPlant: ({ body: { name, tag } }) => ({
      status: 200,
      body: { name, ...(tag !== undefined && { tag }) }
    })
  },
  security: { bearerAuth: () => principal },
  errorBody
})
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
