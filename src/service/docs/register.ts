/**
 * Serves the contract: the page `/docs`, `/openapi.yaml` (as written; several files are bundled), `/openapi.json`. Those who
 * may not see what is `x-internal` get documents without it.
 */

import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
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
import { calledUrls, type Node, withoutInternal } from './internal.ts'

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
  const documents = documentsOf(options)
  const pageHeaders = once(async () => allowCalls(headers, await documents.calledUrls()))
  const serve = (
    path: string,
    assetFor: (request: FastifyRequest) => Promise<Asset | undefined>,
    headersOf = async () => headers
  ) => {
    const url = `${base}${path}`
    if (!isFree(app, url)) return
    app.get(url, async (request, reply) => {
      const asset = (await assetFor(request)) as Asset
      return sendAsset(request, reply.headers(await headersOf()), asset)
    })
  }
  for (const path of ['/openapi.yaml', '/openapi.json'] as const)
    serve(path, (request) => documents.shownTo(request, path))
  for (const path of pagePaths.filter((each) => each !== '/docs'))
    serve(path, async () => (await page()).get(path))
  for (const path of ['/docs', '/docs/']) serve(path, async () => (await page()).get('/docs'), pageHeaders)
  // The two at the end of the list are above the base path, for people who leave it out.
  for (const root of new Set([`${base}/`, base || '/', '/', '/docs']))
    if (isFree(app, root)) app.get(root, (_request, reply) => reply.redirect(`${basePath}/docs`))
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

const mediaTypes = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml']
])
const files = [
  ...['scalar.js', 'exact-json.js', 'session.js', 'examples.js', 'requests.js', 'accessibility.js'],
  ...['print.js', 'start.js', 'style.css', 'favicon.svg']
]

export const pagePaths: readonly string[] = ['/docs', ...files.map((file) => `/docs/${file}`)]

/** Returns the files of the page by their paths, the page itself included. */
async function readPage(basePath: string, { title, version }: Contract): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>()
  for (const file of files)
    assets.set(`/docs/${file}`, await (file === 'scalar.js' ? readScalar() : readAsset(file)))
  const urls = Array.from(assets, ([path, { version }]) => [path, `${basePath}${path}?v=${version}`])
  const html = fill(await pageFile('index.html', import.meta.url), {
    title,
    version,
    '/openapi.json': `${basePath}/openapi.json`,
    '/openapi.yaml': `${basePath}/openapi.yaml`,
    ...Object.fromEntries(urls)
  })
  return assets.set('/docs', createAsset('text/html; charset=utf-8', html))
}

const readAsset = async (file: string): Promise<Asset> =>
  createAsset(String(mediaTypes.get(extname(file))), await pageFile(file, import.meta.url))

/**
 * Reads a file of the page: the one beside this module, or its copy in a bundle, which holds modules and JSON only.
 * @param base `import.meta.url`; undefined in a bundle of CommonJS
 */
export async function pageFile(name: string, base: string | undefined): Promise<string> {
  try {
    return await readFile(new URL(`page/${name}`, base), 'utf8')
  } catch {
    const { default: copies } = await import('./page-files.json', { with: { type: 'json' } })
    return copies[name as keyof typeof copies]
  }
}

/** Replaces names such as `{{title}}` by their values, in one pass, because a value may contain such a name. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{([^{}]+)\}\}/g, (_text, name) => escapeHtml(String(values[name])))
}

/** Escapes text for elements and for double-quoted attributes. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Reads Scalar's script from the copy of it, because its package installs 30 others that the script does not need. */
export async function readScalar(): Promise<Asset> {
  const [{ default: copy }, { promisify }, { brotliDecompress }] = await Promise.all([
    import('./scalar.json', { with: { type: 'json' } }),
    import('node:util'),
    import('node:zlib')
  ])
  const br = Buffer.from(copy.brotli, 'base64')
  return createAsset(String(mediaTypes.get('.js')), await promisify(brotliDecompress)(br), br)
}
