/** The engine alone: the contract, a handler that answers at once, and none of what a service has around it. */

import { createContractServer } from '@contract-first/engine/server'
import contract from '../../generated/contract.ts'
import type { Handlers } from '../../generated/types.ts'
import { errorBody } from '../../src/plants/failures.ts'

const principal = { id: 'benchmark' }
const createPlant: Handlers['createPlant'] = ({ body: { name, tag } }) => ({
  status: 200,
  body: { name, ...(tag !== undefined && { tag }) }
})

/** @returns its URL */
export async function serveEngine(): Promise<string> {
  const app = await createContractServer({
    contract,
    // Compiles, too, while somebody adds an operation to the contract.
    handlers: { createPlant } as Handlers,
    security: { bearerAuth: () => principal },
    errorBody
  })
  return await app.listen({ host: '127.0.0.1', port: 0 })
}

if (import.meta.main) console.log(await serveEngine())
