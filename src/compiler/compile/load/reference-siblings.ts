/**
 * Drops members beside a `$ref`, which a Reference Object ignores (OpenAPI 3.0.3, section 4.7.23; 3.1.0, section
 * 4.8.23), so that no reader of the document takes them for constraints. Since 3.1 those of schemas apply.
 */
import { own, stringOf } from '../document/json-value.ts'
import type { Flaw, RepairedNode } from './flaw.ts'

/** Members that describe the place of the reference; their meaning does not depend on its target. */
const kept: ReadonlySet<string> = new Set(['$ref', 'summary', 'description', 'readOnly', 'writeOnly'])

/** Keywords that hold Path Items, which have a `$ref` of their own (OpenAPI 3.1.0, section 4.8.9). */
const pathItems: ReadonlySet<string> = new Set(['paths', 'pathItems', 'webhooks'])

const components =
  /^#\/components\/(parameters|responses|requestBodies|headers|links|callbacks|securitySchemes)\//

export function dropSiblings({ node, path, is30 }: RepairedNode): Flaw[] {
  const reference = stringOf(own(node, '$ref'))
  if (reference === undefined || pathItems.has(String(path.at(-2)))) return []
  if (!is30 && !components.test(reference)) return []
  const ignored = Object.keys(node).filter((key) => !kept.has(key) && !key.startsWith('x-'))
  for (const key of ignored) Reflect.deleteProperty(node, key)
  return ignored.map((key) => ({ key, message: messageOf(key, is30) }))
}

function messageOf(key: string, is30: boolean): string {
  const version = is30 ? ' in OpenAPI 3.0' : ''
  const cure = is30 ? `: write allOf: [{ $ref }] with \`${key}\` beside it` : ''
  return `\`${key}\` beside a $ref has no effect${version}${cure}`
}
