/** The whole service on a shared insert: all of a create but group commit and what the store promises. */
import { runService, storeOfNothing } from './service.ts'
import { sharedInsert } from './shared-insert.ts'

const insert = await sharedInsert()
const create = async ({ id, document }: { readonly id: bigint; readonly document: string }) => {
  await insert(id, document)
  return 'created' as const
}
await runService(Object.assign(storeOfNothing(), { create }))
