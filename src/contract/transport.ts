import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyServerOptions } from 'fastify'
import type { Failure, FailureError } from './failure.ts'

type A = (failure: Failure) => { status: number; headers: Record<string, string | string[]>; body: string }
export function transportOptions(_a: A): FastifyServerOptions {
  return {}
}
export function guardServer(_s: Server, _a: A): void {}
export function continueIfExpected(_r: IncomingMessage, _s: ServerResponse): void {}
export function refusal(_r: IncomingMessage): FailureError | undefined {
  return undefined
}
export async function readBody(r: IncomingMessage, _limit: number): Promise<Buffer> {
  const c: Buffer[] = []
  for await (const x of r) c.push(x as Buffer)
  return Buffer.concat(c)
}
