/**
 * Hands the port from the old server to the new one as soon as the new one can listen. A server that cannot start does
 * not end the old one.
 */
import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Interval between attempts while the old server still has the port, and the limit after which `listen` may fail. */
const retryIntervalMs = 4
const maxWaitMs = 5_000

/** Time in which a service sends the URL that it shows. */
const urlDelayMs = 1_000

/** Replaces `listen` by one that waits for the permission of `npm run dev`. */
export function handOver(): void {
  const listen = Server.prototype.listen
  const listenNow = (server: Server, args: readonly unknown[]) => Reflect.apply(listen, server, args)
  let permission: Promise<unknown> | undefined
  const servers = new Set<HttpServer>()
  process.prependListener('SIGTERM', () => {
    // Closes kept-alive connections, so that the next request of a client reaches the next server.
    for (const server of servers) server.closeIdleConnections()
  })
  function listenWithPermission(this: Server, ...args: unknown[]): Server {
    if (permission === undefined) this.once('listening', () => sendPort(this))
    if (this instanceof HttpServer) servers.add(this)
    permission ??= askPermission()
    permission
      .then((mayWait) => (mayWait === true ? untilFree(args, listenNow) : undefined))
      .then(() => listenNow(this, args))
    return this
  }
  Server.prototype.listen = listenWithPermission as typeof listen
}

/** Sends the port, and later a URL: `runMain` has sent its own by then, a program without it sends none. */
function sendPort(server: Server): void {
  const { port } = Object(server.address())
  process.send?.({ port })
  setTimeout(() => process.send?.({ url: `http://127.0.0.1:${port}` }), urlDelayMs).unref()
}

/** @returns true when there is an old server, which closes its listener now */
async function askPermission(): Promise<unknown> {
  process.send?.({ ready: true })
  const [mayWait] = await once(process, 'message')
  // Without unref, this channel alone would keep the process running.
  process.channel?.unref()
  return mayWait
}

export async function untilFree(
  [target]: readonly unknown[],
  listenNow: (server: Server, args: readonly unknown[]) => void
): Promise<void> {
  const deadline = performance.now() + maxWaitMs
  while (performance.now() < deadline) {
    const probe = new Server()
    listenNow(probe, [target])
    const isFree = await once(probe, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'EADDRINUSE'
    )
    await new Promise((done) => probe.close(done))
    if (isFree) return
    await sleep(retryIntervalMs)
  }
}
