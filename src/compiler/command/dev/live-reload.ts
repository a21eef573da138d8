/**
 * Reloads the docs page in a browser after an edit of the contract, and shows in a bar what is wrong with the last save. Only `npm run dev` loads this file, into the server that
 * it starts. The script comes from the page's own origin, because the Content-Security-Policy allows no other.
 */
import { createHash } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isOwnHost, operationOf } from '@contract-first/engine/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { filesIn } from '../generate/file-watcher.ts'
import { readProject } from '../generate/read-project.ts'

/** Adds hooks to every Fastify instance (https://fastify.dev/docs/latest/Reference/Hooks/#diagnostics-channel-hooks). */
export function reloadPages(): void {
  const page: Page = { version: pageVersion(), streams: new Set(), notice: null }
  let isEnding = false
  process.on('message', (message) => {
    const { notice } = Object(message)
    if (notice === undefined) return
    page.notice = notice
    for (const stream of page.streams) stream.write(noticeEvent(page))
  })
  process.prependListener('SIGTERM', () => {
    isEnding = true
    for (const stream of page.streams) stream.end()
  })
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRequest', async (request, reply) => {
      if (!isOwnHost(request.headers.host, configuredHosts())) return refuseHost(reply)
      // A browser repeats the request, and then reaches the next server.
      if (isEnding && request.method === 'GET') request.raw.socket.destroy()
      return respond(request, reply, page)
    })
    fastify.addHook('onSend', async (request, reply, payload) =>
      isPage(request) ? withScript(request, reply, payload, page.version) : payload
    )
  })
}

/** Returns the names in HOST and BASE_URL, which may stand in `.env`. */
const configuredHosts = () => [process.env['HOST'], URL.parse(process.env['BASE_URL'] ?? '')?.hostname]

/** A page whose name leads here (DNS rebinding) would read what this server, and its database, answers. */
const refuseHost = (reply: FastifyReply): FastifyReply =>
  reply
    .code(421)
    .type('text/plain')
    .send('npm run dev serves this machine alone: set BASE_URL for another Host\n')

/** Digest of the files that the page shows. A restart that changes none of them does not reload the page. */
function pageVersion(): string {
  const { contract, out } = readProject()
  const hash = createHash('sha256')
  const page = join(dirname(fileURLToPath(import.meta.resolve('@contract-first/service/docs'))), 'page')
  for (const file of [contract, join(out, 'contract.ts'), ...filesIn(page).sort()])
    hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** Error of the last save. */
export interface Notice {
  /** `the contract is broken` */
  readonly title: string
  /** Place and sentence. */
  readonly text: string
}

interface Page {
  readonly version: string
  readonly streams: Set<ServerResponse>
  /** Sent as JSON; null where the last save is good. */
  notice: Notice | null
}

/** Returns the path of the service (`BASE_URL`), which decorates its app. */
const basePathOf = ({ server }: FastifyRequest): string =>
  server.hasDecorator('basePath') ? server.getDecorator<string>('basePath') : ''

/** Returns the path of a request below that of the service; undefined for any other. */
function pathOf(request: FastifyRequest): string | undefined {
  const basePath = basePathOf(request)
  const path = request.url.replace(/\?.*$/s, '')
  return path.startsWith(basePath) ? path.slice(basePath.length) : undefined
}

/** Returns false for an operation of the contract at the path of the page, which takes precedence. */
const isPage = (request: FastifyRequest): boolean =>
  /^\/docs\/?$/.test(pathOf(request) ?? '') && operationOf(request) === undefined

function respond(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply | undefined {
  const path = pathOf(request)
  if (path === '/-/reload.js') return reply.type('text/javascript').send(script)
  if (path === '/-/reload') return stream(reply, page)
  if (isPage(request)) {
    // withScript needs the whole page as text.
    delete request.raw.headers['accept-encoding']
    delete request.raw.headers['if-none-match']
  }
  return undefined
}

/** Server-sent events (HTML Living Standard, section 9.2). The connection ends with the stream: the next one reaches the next server. */
function stream(reply: FastifyReply, page: Page): FastifyReply {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    connection: 'close'
  })
  raw.write(`retry: 50\ndata: ${page.version}\n\n${noticeEvent(page)}`)
  page.streams.add(raw)
  raw.once('close', () => page.streams.delete(raw))
  return reply
}

const noticeEvent = ({ notice }: Page): string => `event: notice\ndata: ${JSON.stringify(notice)}\n\n`

function withScript(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  version: string
): unknown {
  const isHtml = /^text\/html\b/.test(String(reply.getHeader('content-type')))
  if (!isHtml || (!Buffer.isBuffer(payload) && typeof payload !== 'string')) return payload
  const source = `${basePathOf(request)}/-/reload.js`.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  reply.removeHeader('etag').removeHeader('content-length').header('cache-control', 'no-store')
  return `${payload}<script src="${source}" data-version="${version}"></script>\n`
}

/** Runs before the page's own scripts, which are deferred, and makes Scalar keep the credentials over a reload. */
const script = `const { src, dataset } = document.currentScript
const bar = document.createElement('div')
bar.setAttribute('role', 'alert')
bar.style.cssText = 'position:fixed;inset:auto 0 0;z-index:100000;max-height:40vh;overflow:auto;padding:.75rem 1rem;' +
  'background:#b91c1c;color:#fff;font:14px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere'
const show = (notice) => {
  if (notice === null) return bar.remove()
  const title = document.createElement('b')
  title.textContent = 'npm run dev: ' + notice.title
  bar.replaceChildren(title, '\\n' + notice.text)
  document.body.append(bar)
}
const open = () => {
  const source = new EventSource(src.replace(/\\.js$/, ''))
  source.onmessage = ({ data }) => data !== dataset.version && location.reload()
  source.addEventListener('notice', ({ data }) => show(JSON.parse(data)))
  source.onerror = () => source.readyState === EventSource.CLOSED && setTimeout(open, 200)
}
open()
// A server that ends or is overloaded refuses a file, and without all of its scripts the page does not start.
const retry = ({ target }) => target.tagName === 'SCRIPT' && setTimeout(() => location.reload(), 1000)
addEventListener('error', retry, true)
addEventListener('DOMContentLoaded', () => {
  const { Scalar } = globalThis
  const createApiReference = (target, options) =>
    Scalar.createApiReference(target, { ...options, persistAuth: true })
  globalThis.Scalar = { ...Scalar, createApiReference }
})
`
