/** Removes members that are null although OpenAPI allows no null: many tools write null for an absent member. */
import { define, type Json } from '../document/json-value.ts'
import { methods } from '../document/operation-objects.ts'
import type { Flaw, RepairedNode } from './flaw.ts'

/** Members whose absence changes the meaning of a contract: null is not removed, and the linter reports it. */
const decisive: ReadonlySet<string> = new Set([
  ...methods,
  ...['openapi', 'info', 'paths', 'responses', 'requestBody', 'content', 'schema', 'security'],
  ...['$ref', 'in', 'name', 'scheme', 'items']
])

/** Members that hold data, in which null is a value. */
const data: ReadonlySet<string> = new Set(['default', 'example', 'examples', 'const', 'enum', 'value'])

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
