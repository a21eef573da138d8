/** Types of principals, by the security requirements of each operation (OpenAPI 3.1.0, section 4.8.30). */
import type { Operation } from '@contract-first/engine/model'
import { keyOf } from '../../source/values.ts'
import { operationTypeNames } from './operation-type-names.ts'

/** The security schemes that operations require, with the type parameters of their principals. */
export type PrincipalParameters = ReadonlyMap<string, string>

/** @param declared names of the schemes, in their order in the contract */
export function principalParameters(
  operations: readonly Operation[],
  declared: readonly string[]
): PrincipalParameters {
  const required = new Set(operations.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)))
  const schemes = declared.filter((scheme) => required.has(scheme))
  const names = schemes.length === 1 ? [''] : operationTypeNames(schemes)
  return new Map(schemes.map((scheme, index) => [scheme, `${names[index]}Principal`]))
}

/** Declares one parameter for each scheme. Without the others, the first is the principal of all. */
export function parameterList(parameters: PrincipalParameters): string {
  const [first = '_Principal', ...others] = parameters.values()
  return [`${first} = unknown`, ...others.map((name) => `${name} = ${first}`)].join(', ')
}

/**
 * Returns the type of an operation's principal: that of its scheme, an object by scheme where several are required
 * together, a union for alternatives, and undefined where no credentials are required.
 */
export function principalType({ security }: Operation, parameters: PrincipalParameters): string {
  const alternatives = security.map((requirements) => {
    const members = requirements.map(({ scheme }) => [scheme, String(parameters.get(scheme))] as const)
    const [only] = members
    if (only === undefined) return 'undefined'
    if (members.length === 1) return only[1]
    return `{ ${members.map(([scheme, name]) => `readonly ${keyOf(scheme)}: ${name}`).join('; ')} }`
  })
  return [...new Set(alternatives.length === 0 ? ['undefined'] : alternatives)].join(' | ')
}
