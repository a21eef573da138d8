/** The engine on a shared insert, without the rest of a service. */
import { tuneV8 } from '../../src/process.ts'
import { inserting, serveEngine } from './engine.ts'
import { sharedInsert } from './shared-insert.ts'

// As the service does.
tuneV8()
console.log(await serveEngine(inserting(await sharedInsert())))
