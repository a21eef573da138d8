/** The smallest program that answers after a commit: the bare route on a shared insert. */
import { executionAsyncResource } from 'node:async_hooks'
import { serve } from './bare.ts'
import { sharedInsert } from './shared-insert.ts'

// The engine does the same (tick-shape.ts), so that V8 optimizes both alike.
const kept: object[] = []
process.nextTick(() => kept.push(executionAsyncResource()))
const insert = await sharedInsert()
console.log(await serve(({ id, name, tag }) => insert(id, JSON.stringify({ name, tag }))))
