/** Names of operations without an `operationId`, which OpenAPI does not require but handlers and types need. */
import { createHash } from 'node:crypto'

/** Segments that can be restored from the name: words, alone or in braces, with single hyphens and underscores. */
const readable =
  /^(?:\/(?!by$|by\/)(?:[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*|\{[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*\}))*$/

/**
 * Returns a name that depends on the method and the path alone, and is unique for them: `get_pets_by_id` for `GET
 * /pets/{id}`. A hyphen becomes two underscores, an underscore three.
 * @param taken ids that the contract declares
 */
export function servedId(method: string, path: string, taken: ReadonlySet<string>): string {
  const template = path === '/' ? '' : path
  const name = `${method.toLowerCase()}${template}`.replaceAll(/[-_/{}]/g, spelled)
  if (readable.test(template) && !taken.has(name)) return name
  const digest = createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, 12)
  return `${name.replaceAll(/\W+/g, '_')}____${digest}`
}

const spellings = { '/': '_', '-': '__', _: '___', '{': 'by_', '}': '' }
const spelled = (sign: string): string => spellings[sign as keyof typeof spellings]

/**
 * Returns the name of a webhook or callback.
 * @param sender id of the operation that declares the callback; undefined for a webhook
 * @param method undefined where the path item has one operation
 */
export function sentId(sender: string | undefined, name: string, method: string | undefined): string {
  const id =
    sender === undefined ? name : `${sender} ${name}`.replace(/ ./, (found) => found.trim().toUpperCase())
  return method === undefined ? id : id + capitalized(method.toLowerCase())
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Gives equal names a number. */
export function uniqueIn(taken: Set<string>, wanted: string): string {
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`
  taken.add(name)
  return name
}
