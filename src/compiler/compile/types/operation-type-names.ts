/** Names of the types of operations. */
import { uniqueIn } from '@contract-first/contract'
import { ts } from '../../source/typescript.ts'

/** @returns a name for each operationId, in order; equal names get a number */
export function operationTypeNames(operationIds: readonly string[]): string[] {
  const taken = new Set<string>()
  return operationIds.map((operationId) => uniqueIn(taken, pascalCase(operationId)))
}

/** @returns by operationId the name of the type of a response */
export const responseTypeNames = (operationIds: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    operationTypeNames(operationIds).map((name, index) => [operationIds[index] ?? '', `${name}Response`])
  )

/**
 * Keeps letters and digits of every script that an identifier may have. TypeScript decides: Node may know a later
 * Unicode.
 */
function pascalCase(operationId: string): string {
  const isPart = (character: string) =>
    ts.isIdentifierPart(Number(character.codePointAt(0)), ts.ScriptTarget.Latest)
  const words = [...operationId]
    .map((character) => (isPart(character) ? character : ' '))
    .join('')
    .split(/ +/)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return ts.isIdentifierStart(Number(name.codePointAt(0)), ts.ScriptTarget.Latest) ? name : `Operation${name}`
}
