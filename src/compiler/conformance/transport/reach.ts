/** Makes one connection before the run, so that a wrong URL gives one sentence, not a finding for each operation. */
import { connect } from 'node:net'

/** No server answers at the URL. */
export class NoAnswer extends Error {}

/** @throws {NoAnswer} when no connection can be made within the time-out */
export async function reach(url: URL, timeoutMs = 5000): Promise<void> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port, timeout: timeoutMs })
  const fail = (reason: string) => reject(new NoAnswer(`nobody answers at ${url.origin}: ${reason}`))
  socket.on('connect', () => resolve())
  socket.on('timeout', () => fail(`the connection takes longer than ${timeoutMs / 1000} s`))
  socket.on('error', (error) => fail(String(Reflect.get(error, 'code'))))
  await promise.finally(() => socket.destroy())
}
