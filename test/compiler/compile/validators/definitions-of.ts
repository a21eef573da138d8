/** Definitions of a few schemas, which refer to each other as components. */

import { Definitions } from '../../../../src/compiler/compile/validators/definitions.ts'
import { Reading, type View } from '../../../../src/compiler/compile/validators/reading.ts'
import { make } from '../../../../src/contract/contract.ts'
import { contractOf } from '../../../contract/schema-of.ts'

export type Schema = boolean | { readonly [keyword: string]: unknown }

/** Returns a reference to a schema. */
export const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export function definitionsOf(
  schemas: Readonly<Record<string, Schema>>,
  view: View = 'request'
): Definitions {
  const { components } = contractOf({ components: { schemas } })
  const definitions = new Definitions(new Reading(view, 'readOnly'))
  for (const schema of components.schemas.values()) definitions.define(make({ ref: schema }, schema), '')
  return definitions
}
