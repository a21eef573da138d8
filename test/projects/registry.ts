/** An npm registry of the packed packages: each has one version, as when it is published. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface Registry {
  readonly url: string
  readonly close: () => Promise<void>
}

/** @param tarballs folder of the tarballs */
export async function serveRegistry(tarballs: string): Promise<Registry> {
  const files = new Map(readdirSync(tarballs).map((name) => [name, readFileSync(join(tarballs, name))]))
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(url.slice(1))
    const found = files.get(path) ?? packages.get(path)
    if (found === undefined) response.writeHead(404).end('{}')
    else if (Buffer.isBuffer(found)) response.end(found)
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(found))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const packages = new Map(
    [...files].map(([file, bytes]) => {
      const manifest = JSON.parse(
        execFileSync('tar', ['-xOzf', join(tarballs, file), 'package/package.json'], { encoding: 'utf8' })
      )
      const { name, version } = manifest
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
      const shasum = createHash('sha1').update(bytes).digest('hex')
      const dist = { tarball: `${url}${file}`, integrity, shasum }
      const versions = { [version]: { ...manifest, dist } }
      return [
        name,
        { name, 'dist-tags': { latest: version }, versions, time: { [version]: '2026-01-01T00:00:00.000Z' } }
      ]
    })
  )
  return {
    url,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
  }
}
