/** The path of the first server URL (OpenAPI 3.1.0, section 4.8.5), which prefixes every route. */
import { arrayOf, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { decodedPath } from './fastify-path.ts'

/** Characters that no route has as plain text: the router interprets them, or decodes them in parameters only. */
const special = /\*|%(?:2[3-6BCF]|3[ABDF]|40)/i

/** @returns `''` or `/api`, without a slash at the end; `''` for a path with characters that no route can have */
export function basePathOf(document: JsonObject): string {
  const [first] = arrayOf(own(document, 'servers'))
  const server = objectOf(first)
  const variables = objectOf(own(server, 'variables'))
  const url = String(own(server, 'url') ?? '/').replaceAll(/\{([^{}]+)\}/g, (_text, name) =>
    String(own(objectOf(own(variables, name)), 'default') ?? name)
  )
  const path = URL.canParse(url, 'http://localhost/') ? new URL(url, 'http://localhost/').pathname : '/'
  const decoded = special.test(path) ? undefined : decodedPath(path)
  return decoded === undefined ? '' : encodeURI(decoded).replace(/\/+$/, '')
}
