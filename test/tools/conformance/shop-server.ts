/** The shop on a socket: in plain `node:http`, with defects below HTTP too, and in Express. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { type Given, Shop } from './shop.ts'

/** Listens on a free port; the caller closes it. */
export async function listening(server: Server): Promise<{ url: URL; close: () => void }> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), close }
}

export function plainServer(defect?: string): Server {
  const shop = new Shop(defect)
  return createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://x')
    const isStatus = pathname === '/status' && request.method === 'GET'
    if (defect === 'an operation hangs' && isStatus) return
    if (defect === 'an operation closes the connection' && isStatus) return void request.socket.destroy()
    if (defect === 'an answer never ends' && isStatus) return endless(response)
    const body = String(Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)))
    const asked = {
      method: String(request.method),
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body
    }
    send(
      response,
      answered(() => shop.answer(asked)),
      request
    )
  })
}

function answered(answer: () => Given): Given {
  try {
    return answer()
  } catch {
    return { status: 500, headers: { 'content-type': 'text/plain' }, body: 'internal' }
  }
}

function send(response: ServerResponse, { status, headers, body }: Given, _request: IncomingMessage): void {
  response.writeHead(status, { ...headers }).end(body)
}

function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = ' '.repeat(65_536)
  const more = () => {
    if (response.destroyed) return
    if (response.write(chunk)) setTimeout(more, 5)
    else response.once('drain', more)
  }
  more()
}

/** Starts the shop with the usual parts of Express: a router, middleware for bodies, an error handler. */
export function expressServer(): Server {
  const shop = new Shop()
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.use(express.text({ type: '*/*', limit: '1mb' }))
  app.use((request, response) => {
    const { pathname, searchParams } = new URL(request.originalUrl, 'http://x')
    const body = typeof request.body === 'string' ? request.body : ''
    const asked = {
      method: request.method,
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body
    }
    const { status, headers, body: text } = shop.answer(asked)
    response.status(status).set(headers)
    if (text === undefined) response.end()
    else response.end(text)
  })
  return createServer(app)
}
