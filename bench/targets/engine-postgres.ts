/** The engine on a shared insert, without the rest of a service. */
import { inserting, serveEngine } from './engine.ts'
import { sharedInsert } from './shared-insert.ts'

console.log(await serveEngine(inserting(await sharedInsert())))
