/** The whole service on a shared insert: a create without group commit and the guarantees of the store. */
import { runService, storeOfNothing } from './service.ts'
import { sharedInsert } from './shared-insert.ts'

const insert = await sharedInsert()
const create = async ({ id, document }: { readonly id: bigint; readonly document: string }) => {
  await insert(id, document)
  return 'created' as const
}
await runService(Object.assign(storeOfNothing(), { create }))
