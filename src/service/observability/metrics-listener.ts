/** Listener for Prometheus, without credentials: on a port of its own, by default on the loopback address only. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'

interface MetricsListener {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Open connections; further ones are closed. */
const maxConnections = 100

/** @throws {NodeJS.ErrnoException} when the port is taken or may not be used */
export async function listenForMetrics(
  registry: Registry,
  port: number,
  host = '127.0.0.1'
): Promise<MetricsListener> {
  const server = createServer(answerWith(registry))
  server.maxConnections = maxConnections
  await once(server.listen(port, host), 'listening')
  // Emitted when a connection cannot be accepted; without a listener the event would end the process.
  server.on('error', () => undefined)
  const { address, family, port: taken } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/metrics`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}

const answerWith =
  (registry: Registry): RequestListener =>
  async ({ method, url }, response) => {
    if (url !== '/metrics') return response.writeHead(404).end()
    if (method !== 'GET' && method !== 'HEAD') return response.writeHead(405, { allow: 'GET, HEAD' }).end()
    // A rejection of a listener would end the process.
    const { status, text } = await registry.metrics().then(
      (text) => ({ status: 200, text }),
      (error: unknown) => ({ status: 500, text: `# ${String(error)}\n` })
    )
    return response
      .writeHead(status, { 'content-type': registry.contentType })
      .end(method === 'GET' ? text : undefined)
  }
