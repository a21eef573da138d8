/** Bare Fastify, the engine alone and the whole service without a database in one process, which share what disturbs it. */
import { token } from '../target.ts'
import { serveBare } from './bare.ts'
import { serveEngine } from './engine.ts'
import { serveService } from './service.ts'

console.log((await Promise.all([serveBare(), serveEngine(), serveService(token)])).join(' '))
