/**
 * Serves the contract: the page `/docs`, `/openapi.yaml` (as written; several files are bundled), `/openapi.json`. Those who
 * may not see what is `x-internal` get documents without it.
 */

import {
  type Contract,
  literalRoute,
  parseOpenApi,
  writeOpenApiJson,
  writeOpenApiYaml
} from '@contract-first/engine/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { allowCalls } from '../http/headers.ts'
import { type Asset, createAsset, sendAsset } from './asset.ts'
import { calledUrls, type Node } from './document.ts'
import { withoutInternal } from './internal.ts'
import { pagePaths, readPage } from './page.ts'

export interface DocsOptions {
  readonly basePath: string
  readonly contract: Contract
  readonly headers: Readonly<Record<string, string>>
  /** Returns true for a request of somebody who may see what is `x-internal`; nobody may without it. */
  readonly maySeeInternal?: ((request: FastifyRequest) => unknown) | undefined
}

export const docsPaths = (base: string): readonly string[] =>
  ['/openapi.yaml', '/openapi.json', ...pagePaths, '/docs/', '/', ''].map((path) => `${base}${path}`)

export function registerDocs(app: FastifyInstance, options: DocsOptions): void {
  const { basePath, contract, headers } = options
  const base = literalRoute(basePath)
  const page = once(() => readPage(basePath, contract))
  const serve = (path: string, respond: (request: FastifyRequest) => Promise<Sent>) => {
    const url = `${base}${path}`
    if (!isFree(app, url)) return
    app.get(url, async (request, reply) => {
      const { asset, headers } = await respond(request)
      return sendAsset(request, reply.headers(headers), asset)
    })
  }
  const documents = documentsOf(options)
  const pageHeaders = once(async () => allowCalls(headers, await documents.calledUrls()))
  for (const path of ['/openapi.yaml', '/openapi.json'] as const)
    serve(path, async (request) => ({ asset: await documents.shownTo(request, path), headers }))
  for (const path of pagePaths.filter((each) => each !== '/docs'))
    serve(path, async () => ({ asset: (await page())[path], headers }))
  for (const path of ['/docs', '/docs/'])
    serve(path, async () => ({ asset: (await page())['/docs'], headers: await pageHeaders() }))
  // The two at the end of the list are above the base path, for people who leave it out.
  for (const root of new Set([`${base}/`, base || '/', '/', '/docs']))
    if (isFree(app, root)) app.get(root, (_request, reply) => reply.redirect(`${basePath}/docs`))
}

interface Sent {
  readonly asset: Asset
  readonly headers: DocsOptions['headers']
}

const parse = (yaml: string): Node => Object(parseOpenApi(yaml))

/** Documents of a contract, each made at its first request; a document is parsed once for the page and its JSON. */
function documentsOf({ contract, maySeeInternal }: DocsOptions) {
  const text = once(() => contract.yaml())
  const parsed = once(async () => {
    const document = parse(await text())
    return { json: jsonAsset(document), urls: calledUrls(document) }
  })
  const publicPart = once(async () => withoutInternal(parse(await text())))
  const whole = {
    '/openapi.yaml': once(async () => yamlAsset(await text())),
    '/openapi.json': async () => (await parsed()).json
  }
  const shown = {
    '/openapi.yaml': once(async () => yamlAsset(writeOpenApiYaml(await publicPart()))),
    '/openapi.json': once(async () => jsonAsset(await publicPart()))
  }
  return {
    calledUrls: async () => (await parsed()).urls,
    shownTo: async (request: FastifyRequest, path: keyof typeof whole): Promise<Asset> => {
      const isWhole = !(await text()).includes('x-internal') || (await maySeeInternal?.(request)) === true
      return (isWhole ? whole : shown)[path]()
    }
  }
}

const yamlAsset = (text: string): Asset => createAsset('application/yaml', text)
const jsonAsset = (document: Node): Asset => createAsset('application/json', writeOpenApiJson(document))

/** Returns false if an operation of the contract has this path; it takes precedence. */
const isFree = (app: FastifyInstance, url: string): boolean => !app.hasRoute({ method: 'GET', url })

/** Loads on the first call, and again after a failure. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
