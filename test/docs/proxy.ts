/** A reverse proxy that does what the `server` block of nginx says which a page shows. */
import { createServer, request, type Server } from 'node:http'
import { pipeline } from 'node:stream'

/** Values of the variables of nginx that a page uses. */
type Variables = Readonly<Record<string, string | undefined>>

/** @param config block with `listen`, one `location` with `proxy_pass` without a path, and `proxy_set_header` */
export function proxyOf(config: string): { readonly port: number; readonly server: Server } {
  const [, location = ''] = /location (\S+) \{/.exec(config) ?? []
  const [, target = ''] = /proxy_pass (\S+);/.exec(config) ?? []
  const set = [...config.matchAll(/proxy_set_header (\S+) (\S+);/g)]
  const server = createServer((given, answer) => {
    if (!given.url?.startsWith(location)) return void answer.writeHead(404).end()
    const variables: Variables = {
      $host: given.headers.host?.replace(/:\d+$/, ''),
      $proxy_add_x_forwarded_for: [given.headers['x-forwarded-for'], given.socket.remoteAddress]
        .filter((each) => each !== undefined)
        .join(', '),
      $scheme: 'http'
    }
    const own = set.map(([, name = '', value = '']) => [name.toLowerCase(), variables[value] ?? value])
    const headers = { ...given.headers, ...Object.fromEntries(own) }
    const sent = request(target + given.url, { method: given.method, headers }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers)
      pipeline(received, answer, () => undefined)
    })
    sent.on('error', () => answer.writeHead(502).end())
    pipeline(given, sent, () => undefined)
  })
  return { port: Number(/listen (?:\S+:)?(\d+);/.exec(config)?.[1]), server }
}
