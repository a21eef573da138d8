/** Names operations without an operationId, which OpenAPI does not require but handlers and types need. */
import { createHash } from 'node:crypto'
import type { Locator } from '../diagnostics/locator.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { define, type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { type OperationNode, operationNodes } from '../document/operation-objects.ts'

/** Changes the document in place. */
export function nameOperations(document: JsonObject, locator: Locator): ContractProblem[] {
  const operations = operationNodes(document)
  const declared = operations.map(({ node }) => idOf(node)).filter((id) => id !== '')
  const taken = new Set(declared)
  const unnamed = operations.filter(({ node }) => idOf(node) === '')
  return unnamed.map((operation) => {
    const { method, path } = operation
    const operationId = operationName(method, path, taken)
    const named = { ...operation.node, operationId }
    locator.addCopies(new Map([[named, operation.node]]))
    replace(document, operation, named, locator)
    const cure = `it is named ${operationId}; to name it, add: operationId: ${operationId}`
    return locator.problem('warning', `${method} ${path} has no operationId: ${cure}`, operation.node)
  })
}

const idOf = (node: JsonObject): string => stringOf(own(node, 'operationId')) ?? ''

/** Replaces the operation below this path only: several paths may refer to one path item. */
function replace(
  document: JsonObject,
  { path, at: [field, method], pathItem }: OperationNode,
  named: JsonObject,
  locator: Locator
): void {
  const paths = objectOf(own(document, 'paths'))
  const current = objectOf(own(paths, path))
  const isOwn = own(current, '$ref') === undefined
  const item = isOwn ? current : pathItem
  const member = method === undefined ? named : { ...objectOf(own(item, field)), [method]: named }
  const copy = { ...item, [field]: member }
  locator.addCopies(new Map([[copy, pathItem]]))
  define(paths, path, copy)
}

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
  const name = `${method.toLowerCase()}${template}`.replaceAll(/[-_/{}]/g, spelled)
  if (readable.test(template) && !taken.has(name)) return name
  const digest = createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, 12)
  return `${name.replaceAll(/\W+/g, '_')}____${digest}`
}

const spellings = { '/': '_', '-': '__', _: '___', '{': 'by_', '}': '' }
const spelled = (sign: string): string => spellings[sign as keyof typeof spellings]
