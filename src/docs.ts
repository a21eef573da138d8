/** The contract for people and programs: `/docs`, `/openapi.yaml` as it was written, `/openapi.json` as it was bundled. */
import { readFile } from 'node:fs/promises'
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { Contract } from './contract/contract.ts'
import { inlineScripts } from './http/inline-scripts.ts'

export async function registerDocs(
  app: FastifyInstance,
  basePath: string,
  contract: Contract,
  /** The headers of a page, given the hashes of the scripts it holds in itself. */
  pageHeaders: (scripts: readonly string[]) => Readonly<Record<string, string>>
): Promise<void> {
  const [source] = contract.sources
  const yaml = await readFile(new URL(source?.file ?? '', contract.url))
  const document = JSON.parse(await contract.document())
  await app.register(swagger, { mode: 'static', specification: { document } })
  const json = JSON.stringify(app.swagger())
  app.get(`${basePath}/openapi.yaml`, (_request, reply) => reply.type('application/yaml').send(yaml))
  app.get(`${basePath}/openapi.json`, (_request, reply) => reply.type('application/json').send(json))
  await app.register(async (page) => {
    page.addHook('onSend', async (_request, reply, payload) => {
      reply.headers(pageHeaders(typeof payload === 'string' ? inlineScripts(payload) : []))
      reply.header('cache-control', 'no-cache')
    })
    await page.register(scalar, {
      routePrefix: `${basePath}/docs`,
      configuration: { url: `${basePath}/openapi.json` }
    } as never)
  })
  for (const root of new Set([`${basePath}/`, basePath || '/']))
    app.get(root, (_request, reply) => reply.redirect(`${basePath}/docs`))
}
