/** The API reference for the browser, read from @scalar/fastify-api-reference. */
import { readFile } from 'node:fs/promises'

/**
 * Reads the script out of the package, a Fastify plugin that holds it as one string literal. Importing the plugin would load
 * 25 packages that the script does not need and block the event loop for a quarter of a second.
 */
export async function readScalar(resolve = import.meta.resolve): Promise<string> {
  try {
    return scriptIn(await readFile(new URL(resolve('@scalar/fastify-api-reference')), 'utf8'))
  } catch {
    return servedScript()
  }
}

function scriptIn(module: string): string {
  const literal = module.replace(/^[\s\S]*^var standalone_default = (".*");$[\s\S]*$/m, '$1')
  return JSON.parse(literal.replaceAll(/\p{Cc}/gu, escapeControl))
}

/** Asks the plugin, in a bundle, where the package is no file. */
async function servedScript(): Promise<string> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference')
  ])
  const app = fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  return (await app.inject('/docs/js/scalar.js')).payload
}

/** Escapes a control character, which a string literal of JavaScript may hold and JSON may not. */
function escapeControl(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
