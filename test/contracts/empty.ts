import type { Exchange } from './exchange.ts'

export default [{ send: 'GET /', want: 404 }] satisfies Exchange[]
