/** Offers the contract as `app.swagger()`, for the plugins of Fastify that show or check an OpenAPI document. */
import fastifySwagger, { type StaticDocumentSpec } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { openApiJson } from '../json/openapi-json.ts'

type Swagger = FastifyInstance['swagger']

/**
 * Registers @fastify/swagger in static mode, under its name, on which other plugins depend. The package runs at the
 * first call: it loads a YAML library, and needs the parsed document.
 * @param text the contract as written, which `app.swagger({ yaml: true })` returns
 */
export function offerDocument(app: FastifyInstance, text: string): void {
  let made: Swagger | undefined
  const swagger = (options?: { readonly yaml?: boolean }) => {
    if (options?.yaml === true) return text
    made ??= swaggerOf(JSON.parse(openApiJson(text)) as StaticDocumentSpec['document'])
    return made()
  }
  const plugin = async (parent: FastifyInstance) => {
    parent.decorate('swagger', swagger as Swagger)
  }
  app.register(
    Object.assign(plugin, {
      [Symbol.for('skip-override')]: true,
      [Symbol.for('plugin-meta')]: { name: '@fastify/swagger' }
    })
  )
}

/** Returns the function with which the package decorates an application, which takes no decorator after its start. */
function swaggerOf(document: StaticDocumentSpec['document']): Swagger {
  const decorated: Record<string, Swagger> = {}
  const host = { decorate: (name: string, value: Swagger) => Object.assign(decorated, { [name]: value }) }
  fastifySwagger(host as never, { mode: 'static', specification: { document } }, () => undefined)
  return decorated['swagger'] as Swagger
}
