/**
 * Repairs parts that OpenAPI forbids but that can have only one meaning: the document is changed to that meaning for
 * every reader, and each change is a warning with its place. Also drops parts that OpenAPI ignores.
 */
import type { Document } from '@redocly/openapi-core'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { positionOf } from '../diagnostics/source-position.ts'
import { isObject } from '../document/json-value.ts'
import { canonicalReference, unescapePointer } from '../document/pointer.ts'
import { rewriteReferences } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import { repairNulls } from './null-repairs.ts'
import { repairPatterns } from './pattern-repairs.ts'
import { dropSiblings } from './reference-siblings.ts'
import { repairSchema } from './schema-repairs.ts'

/** A warning, with the pointer to the member as the linter writes it. */
export interface Repair {
  readonly pointer: string
  readonly problem: ContractProblem
}

const repairs = [dropSiblings, repairNulls, repairSchema, repairPatterns]

/** Changes the document in place. */
export function repair({ parsed, source }: Document, is30: boolean): Repair[] {
  if (!isObject(parsed)) return []
  return [...contractNodes(parsed)].flatMap(({ node, pointer, names }) => {
    if (names !== undefined) return []
    const path = pointer.split('/').slice(1).map(unescapePointer)
    // The linter and openapi-typescript decode other forms wrongly.
    rewriteReferences(node, canonicalReference)
    return repairs
      .flatMap((fix) => fix({ node, path, is30 }))
      .map(({ key, message }) => {
        const place = { file: source.absoluteRef, ...positionOf(source, [...path, key]) }
        return { pointer: `${pointer}/${key}`, problem: { severity: 'warning', ...place, message } }
      })
  })
}
