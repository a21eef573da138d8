/** Repairs members of any object: those that are null, and those beside a reference. */
import { define, type Json, own, stringOf } from '../document/json-value.ts'
import { methods } from '../document/operation-objects.ts'

/** A node that may have flaws. */
export interface RepairedNode {
  readonly node: Record<string, Json>
  /** Segments of the pointer to the node. */
  readonly path: readonly string[]
  /** True for schemas in the dialect of OpenAPI 3.0 (OpenAPI 3.0.3, section 4.7.24). */
  readonly is30: boolean
}

/** A repaired flaw of a node. */
export interface Flaw {
  /** Member that has the flaw. */
  readonly key: string
  readonly message: string
}

/** Members whose absence changes the meaning of a contract: null is not removed, and the linter reports it. */
const decisive: ReadonlySet<string> = new Set([
  ...methods,
  ...['openapi', 'info', 'paths', 'responses', 'requestBody', 'content', 'schema', 'security'],
  ...['$ref', 'in', 'name', 'scheme', 'items']
])

/** Members that hold data, in which null is a value. */
const data: ReadonlySet<string> = new Set(['default', 'example', 'examples', 'const', 'enum', 'value'])

/** Removes members that are null although OpenAPI allows no null: many tools write null for an absent member. */
export function repairNulls({ node, path }: RepairedNode): Flaw[] {
  const empty = Object.keys(node).filter(
    (key) => node[key] === null && !data.has(key) && !key.startsWith('x-')
  )
  return empty.flatMap((key) => {
    const meant = meaningOf(key, path)
    if (meant === undefined) return []
    if (meant.value === undefined) Reflect.deleteProperty(node, key)
    else define(node, key, meant.value)
    return [{ key, message: `\`${key}\` is null: it is read as ${meant.text}` }]
  })
}

interface Meaning {
  readonly value?: Json
  readonly text: string
}

function meaningOf(key: string, path: readonly string[]): Meaning | undefined {
  // A requirement without its scheme would admit every client.
  if (path.at(-2) === 'security') return { value: [], text: 'no scopes' }
  if (path.at(-1) === 'scopes') return { value: '', text: 'no description' }
  if (key === 'scopes') return { value: {}, text: 'no scopes' }
  if (key === 'type') return { value: 'null', text: "type 'null'" }
  return decisive.has(key) ? undefined : { text: 'absent' }
}

/** Members that describe the place of the reference; their meaning does not depend on its target. */
const kept: ReadonlySet<string> = new Set(['$ref', 'summary', 'description', 'readOnly', 'writeOnly'])

/** Keywords that hold Path Items, which have a `$ref` of their own (OpenAPI 3.1.0, section 4.8.9). */
const pathItems: ReadonlySet<string> = new Set(['paths', 'pathItems', 'webhooks'])

const components =
  /^#\/components\/(parameters|responses|requestBodies|headers|links|callbacks|securitySchemes)\//

/**
 * Drops members beside a `$ref`, which a Reference Object ignores (OpenAPI 3.0.3, section 4.7.23; 3.1.0, section
 * 4.8.23), so that no reader of the document takes them for constraints. Since 3.1 those of schemas apply.
 */
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
