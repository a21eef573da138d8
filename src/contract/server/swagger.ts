/** Offers the contract as `app.swagger()`, for the plugins of Fastify that show or check an OpenAPI document. */
import type { StaticDocumentSpec } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { openApiJson } from '../json/openapi-json.ts'

/**
 * Registers what @fastify/swagger registers in static mode, under its name, on which other plugins depend. The package
 * itself loads a YAML library at once, which takes 12 ms of CPU; here the text is parsed at the first call.
 * @param text the contract as written, which `app.swagger({ yaml: true })` returns
 */
export function offerDocument(app: FastifyInstance, text: string): void {
  let document: StaticDocumentSpec['document'] | undefined
  const swagger = (options?: { readonly yaml?: boolean }) => {
    if (options?.yaml === true) return text
    document ??= JSON.parse(openApiJson(text)) as StaticDocumentSpec['document']
    return document
  }
  const plugin = async (parent: FastifyInstance) => {
    parent.decorate('swagger', swagger as FastifyInstance['swagger'])
  }
  app.register(
    Object.assign(plugin, {
      [Symbol.for('skip-override')]: true,
      [Symbol.for('plugin-meta')]: { name: '@fastify/swagger' }
    })
  )
}
