/** Starts servers of tests. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on a free port; the caller closes it. */
export async function listening(server: Server): Promise<{ url: URL; close: () => void }> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), close }
}
