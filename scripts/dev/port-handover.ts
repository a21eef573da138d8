/** A new server takes the port from the old one only when it is ready to listen: one that can not start ends nothing. */
import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between attempts while the old server lets go of the port, and after which the attempt itself may fail. */
const retryEvery = 4
const patience = 5_000

/** From here on, `listen` waits for the leave of `npm run dev`. */
export function handOver(): void {
  const listen = Server.prototype.listen
  const listenNow = (server: Server, args: readonly unknown[]) => Reflect.apply(listen, server, args)
  let leave: Promise<unknown> | undefined
  function listenWithLeave(this: Server, ...args: unknown[]): Server {
    if (leave === undefined) this.once('listening', () => tellPort(this))
    // What a client asks next is for the next server, even where the client has kept its connection to this one.
    if (this instanceof HttpServer) process.prependListener('SIGTERM', () => this.closeIdleConnections())
    leave ??= askLeave()
    leave
      .then((mayWait) => (mayWait === true ? untilFree(args, listenNow) : undefined))
      .then(() => listenNow(this, args))
    return this
  }
  Server.prototype.listen = listenWithLeave as typeof listen
}

function tellPort(server: Server): void {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
}

/** @returns whether there is an old server, which lets go of the port now */
async function askLeave(): Promise<unknown> {
  process.send?.({ ready: true })
  const [mayWait] = await once(process, 'message')
  // Else this channel alone would keep the process from ending by itself.
  process.channel?.unref()
  return mayWait
}

async function untilFree(
  [first, second]: readonly unknown[],
  listenNow: (server: Server, args: readonly unknown[]) => void
): Promise<void> {
  const target = typeof first === 'object' ? first : { port: first, host: second }
  const deadline = performance.now() + patience
  while (performance.now() < deadline) {
    const probe = new Server()
    listenNow(probe, [target])
    const isFree = await once(probe, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'EADDRINUSE'
    )
    await new Promise((done) => probe.close(done))
    if (isFree) return
    await sleep(retryEvery)
  }
}
