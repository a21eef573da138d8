/** The desk on a socket, in plain `node:http`. */
import { createServer, type Server } from 'node:http'
import { Cut, Desk } from './desk.ts'

export function deskServer(...defects: readonly string[]): Server {
  const desk = new Desk(...defects)
  return createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://x')
    const body = String(Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)))
    const { headers } = request
    try {
      const given = desk.answer({
        method: String(request.method),
        path: pathname,
        query: searchParams,
        headers,
        body
      })
      response.writeHead(given.status, { ...given.headers })
      if (given.isOpen === true) response.write(String(given.body))
      else response.end(given.body)
    } catch (error) {
      if (error instanceof Cut) request.socket.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain' }).end('internal')
    }
  })
}
