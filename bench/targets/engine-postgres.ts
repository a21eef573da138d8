/** The engine on a shared insert, and none of what a service has around it. */
import { inserting, serveEngine } from './engine.ts'
import { sharedInsert } from './shared-insert.ts'

console.log(await serveEngine(inserting(await sharedInsert())))
