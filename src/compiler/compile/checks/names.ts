/** Checks names of a contract for characters that no name can have, because nobody could read or send it. */
import { type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { contractNodes } from '../document/walk.ts'
import type { Reporter } from './reporter.ts'

/** Members whose names are names of parts; names of properties may be any text. */
const namedParts: ReadonlySet<string | undefined> = new Set([
  ...['paths', 'webhooks', 'content', 'headers', 'callbacks', 'pathItems'],
  ...['schemas', 'responses', 'parameters', 'requestBodies']
])

/** Control characters, line separators and halves of a surrogate pair (Unicode, general categories). */
const unreadable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u

export function checkNames(document: JsonObject, { error }: Reporter): void {
  const check = (what: string, name: string | undefined, node: JsonObject, key: string) => {
    if (name !== undefined && unreadable.test(name)) error(`${what} has a control character`, node, key)
  }
  const schemes = objectOf(own(objectOf(own(document, 'components')), 'securitySchemes'))
  for (const name of Object.keys(schemes)) check(`the name of security scheme ${name}`, name, schemes, name)
  for (const { node, names } of contractNodes(document)) {
    if (namedParts.has(names))
      for (const name of Object.keys(node)) check(`the name ${name} in ${names}`, name, node, name)
    if (names !== undefined) continue
    check(`operationId ${own(node, 'operationId')}`, stringOf(own(node, 'operationId')), node, 'operationId')
    // Parameters, API keys, tags.
    check(`the name ${own(node, 'name')}`, stringOf(own(node, 'name')), node, 'name')
  }
}
