/** The engine alone: the contract, a handler that answers at once, and nothing else of a service. */
import { createContractServer } from '@contract-first/engine/server'
import contract from '../../generated/contract.ts'
import type { Handlers } from '../../generated/types.ts'
import { errorBody } from '../../src/plants/failures.ts'

const principal = { id: 'benchmark' }

type Create = Handlers['createPlant']

const plantOf = ({ name, tag }: Parameters<Create>[0]['body']) => ({
  name,
  ...(tag !== undefined && { tag })
})

const answering: Create = ({ body }) => ({ status: 200, body: plantOf(body) })

/** @returns its URL */
export async function serveEngine(): Promise<string> {
  const app = await createContractServer({
    contract,
    // The cast keeps the file valid while an operation is added to the contract.
    handlers: { createPlant: answering } as Handlers,
    security: { bearerAuth: () => principal },
    errorBody
  })
  return await app.listen({ host: '127.0.0.1', port: 0 })
}

if (import.meta.main) console.log(await serveEngine())
