/** A receiver of webhooks on a real socket, which keeps what it is sent and gives the answers of a test in order. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Answer = (response: ServerResponse) => unknown

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
}

export const json =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

/** Ends the connection without an answer. */
export const hangUp: Answer = (response) => response.destroy()

/** @param answers the last one is repeated */
export async function receiver(t: Test, answers: readonly Answer[]): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    received.push({ method, url, headers, body: await text(request) })
    answers[Math.min(received.length, answers.length) - 1]?.(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}
