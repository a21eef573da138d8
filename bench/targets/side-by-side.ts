/**
 * Bare Fastify, the engine alone and the whole service without a database in one process, so that a disturbance affects
 * all of them. Prints their URLs in this order.
 */
import { serveBare } from './bare.ts'
import { serveEngine } from './engine.ts'
import { runService } from './service.ts'

console.log(await serveBare())
console.log(await serveEngine())
await runService()
