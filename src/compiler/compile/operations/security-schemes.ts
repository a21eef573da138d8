/** Security schemes of a contract (OpenAPI 3.1.0, section 4.8.27). */
import type { SecurityScheme } from '@contract-first/engine/model'
import { type Json, type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { dereference } from '../document/reference.ts'

/** @returns the declared schemes by name, with what the server needs to know of each */
export function securitySchemesOf(document: JsonObject): Record<string, SecurityScheme> {
  const declared = objectOf(own(objectOf(own(document, 'components')), 'securitySchemes'))
  const schemes = Object.entries(declared).map(
    ([name, value]) => [name, securityScheme(document, value)] as const
  )
  return Object.fromEntries(schemes)
}

function securityScheme(document: JsonObject, value: Json): SecurityScheme {
  const node = objectOf(dereference(document, value))
  const type = stringOf(own(node, 'type'))
  if (type === 'http') return { type, scheme: String(own(node, 'scheme')).toLowerCase() }
  if (type === 'apiKey') {
    return { type, in: own(node, 'in') as 'header', name: String(own(node, 'name')) }
  }
  return { type: type as 'oauth2' }
}
