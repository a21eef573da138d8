/** Serves the contract: the page `/docs`, `/openapi.yaml` (as written; several files are bundled), `/openapi.json`. */

import { type Contract, openApiJson } from '@contract-first/engine/server'
import type { FastifyInstance } from 'fastify'
import { type Asset, createAsset, sendAsset } from './asset.ts'
import { pagePaths, readPage } from './page.ts'

export interface DocsOptions {
  readonly basePath: string
  readonly contract: Contract
  readonly headers: Readonly<Record<string, string>>
}

export const docsPaths = (base: string): readonly string[] =>
  ['/openapi.yaml', '/openapi.json', ...pagePaths, '/docs/', '/', ''].map((path) => `${base}${path}`)

export function registerDocs(app: FastifyInstance, { basePath, contract, headers }: DocsOptions): void {
  // The router decodes paths, and takes a colon for the start of a parameter.
  const base = decodeURI(basePath).replaceAll(':', '::')
  const yaml = once(async () => createAsset('application/yaml', await contract.yaml()))
  const json = once(async () => createAsset('application/json', openApiJson(await contract.yaml())))
  const page = once(() => readPage(basePath, contract))

  const serve = (path: string, load: () => Promise<Asset>) => {
    const url = `${base}${path}`
    if (isFree(app, url))
      app.get(url, async (request, reply) => sendAsset(request, reply.headers(headers), await load()))
  }
  serve('/openapi.yaml', yaml)
  serve('/openapi.json', json)
  for (const path of pagePaths) serve(path, async () => (await page())[path])
  serve('/docs/', async () => (await page())['/docs'])
  for (const root of new Set([`${base}/`, base || '/']))
    if (isFree(app, root)) app.get(root, (_request, reply) => reply.redirect(`${basePath}/docs`))
}

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
