/** The smallest program that answers after a commit: the bare route on a shared insert. */
import { tuneV8 } from '../../src/process.ts'
import { serve } from './bare.ts'
import { sharedInsert } from './shared-insert.ts'

// As the service does.
tuneV8()
const insert = await sharedInsert()
console.log(await serve(({ id, name, tag }) => insert(id, JSON.stringify({ name, tag }))))
