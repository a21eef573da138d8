/** Result of a run as its reports show it: what a review has accepted is apart, and operations have places. */
import { Source } from '@redocly/openapi-core'
import { positionOf, type SourcePosition } from '../../compiler.ts'
import type { AcceptedFinding, Checked, Finding } from '../../conformance.ts'
import { shortPath } from '../generate/contract-problem.ts'

/** Formats of a report, which the command line names before any of them is loaded. */
export const formats = ['text', 'json', 'junit', 'sarif', 'markdown'] as const
export type Format = (typeof formats)[number]

export interface Reported extends Checked {
  readonly accepted: readonly AcceptedFinding[]
  readonly place: Place
}

/** Place of an operation in the contract; its file is relative to the working directory. */
export type Place = (operation: string) => SourcePosition & { readonly file: string }

/** Returns the status and the beginning of an answer. */
export function answerOf({ response }: Finding, max = Number.POSITIVE_INFINITY): string {
  if (response === null) return 'no answer'
  const { body } = response
  return `${response.status} ${body.length > max ? `${body.slice(0, max)}…` : body}`
}

/** Returns the places of operations in the root file of a contract; that of its path or `paths` for what is elsewhere. */
export function operationPlaces({ path, text }: { readonly path: string; readonly text: string }): Place {
  const source = new Source(path, text)
  const file = shortPath(path)
  return (operation) => {
    const [method = '', ...rest] = operation.split(' ')
    return { file, ...positionOf(source, ['paths', rest.join(' '), method.toLowerCase()]) }
  }
}
