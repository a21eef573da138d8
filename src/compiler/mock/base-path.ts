/** The path of the first server URL (OpenAPI 3.1.0, section 4.8.5), which prefixes every route. */
import { arrayOf, type JsonObject, objectOf, own } from '../compile/document/json-value.ts'

/** @returns `''` or `/api`, without a slash at the end */
export function basePathOf(document: JsonObject): string {
  const [first] = arrayOf(own(document, 'servers'))
  const server = objectOf(first)
  const variables = objectOf(own(server, 'variables'))
  const url = String(own(server, 'url') ?? '/').replaceAll(/\{([^{}]+)\}/g, (_text, name) =>
    String(own(objectOf(own(variables, name)), 'default') ?? name)
  )
  const path = URL.canParse(url, 'http://localhost/') ? new URL(url, 'http://localhost/').pathname : '/'
  return path.replace(/\/+$/, '')
}
