/** Reads the API reference for the browser from @scalar/fastify-api-reference. */
import { readFile } from 'node:fs/promises'

/**
 * Reads the script from the package, a Fastify plugin that contains it as a string literal. Importing the plugin would
 * load 25 packages that the script does not need, and block the event loop for 250 ms.
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

/** Gets the script from the plugin, in a bundle, where the package is not a file. */
async function servedScript(): Promise<string> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference')
  ])
  const app = fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  return (await app.inject('/docs/js/scalar.js')).payload
}

/** Escapes a control character, which JavaScript allows in a string literal and JSON does not. */
function escapeControl(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
