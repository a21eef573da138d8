/** Names operations without an operationId, which OpenAPI does not require but handlers and types need. */
import { createHash } from 'node:crypto'

/** Segments that can be restored from the name: words, alone or in braces, with single hyphens and underscores. */
const readable =
  /^(?:\/(?!by$|by\/)(?:[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*|\{[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*\}))*$/

/**
 * Returns a name that depends on the method and the path alone, and is unique for them: `get_pets_by_id` for `GET
 * /pets/{id}`. A hyphen becomes two underscores, an underscore three.
 * @param taken operationIds that the contract declares
 */
export function operationName(method: string, path: string, taken: ReadonlySet<string>): string {
  const template = path === '/' ? '' : path
  const name = `${method.toLowerCase()}${template.replaceAll(/[-_/{}]/g, spelled)}`
  if (readable.test(template) && !taken.has(name)) return name
  const digest = createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, 12)
  return `${name.replaceAll(/\W+/g, '_')}____${digest}`
}

const spellings = { '/': '_', '-': '__', _: '___', '{': 'by_', '}': '' }
const spelled = (sign: string): string => spellings[sign as keyof typeof spellings]
