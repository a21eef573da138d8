/** The API reference that runs in the browser, out of @scalar/fastify-api-reference. */
import { readFile } from 'node:fs/promises'

/**
 * The package is a Fastify plugin that holds the browser's script as one string. Importing it would run 25 packages in
 * the service that the script does not need, for a quarter of a second in which nobody is answered; so it is read.
 */
export async function readScalar(): Promise<string> {
  const module = await readFile(new URL(import.meta.resolve('@scalar/fastify-api-reference')), 'utf8')
  const literal = module.replace(/^[\s\S]*^var standalone_default = (".*");$[\s\S]*$/m, '$1')
  return JSON.parse(literal.replaceAll(/\p{Cc}/gu, escaped))
}

/** JavaScript allows control characters in a string literal where JSON does not. */
function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
