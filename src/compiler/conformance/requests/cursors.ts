/** Cursors of lists: texts in a query that a server has issued, and that no client makes. */
import type { Draft } from '../../instances/requests/draft.ts'
import { withPart } from './draft-part.ts'

const names = /cursor|marker|continuation|page_?-?token|^next_?-?token$|(?:after|before)$/i

/** Returns the indices of the parameters that are cursors, and have a value. */
export function cursorsOf({ subject, values }: Draft): readonly number[] {
  return [...values.keys()].filter((index) => {
    const { spec, schema } = subject.parameters[index] ?? {}
    return (
      spec?.in === 'query' &&
      typeof values[index] === 'string' &&
      schema?.format === undefined &&
      names.test(spec.name)
    )
  })
}

/** Returns the request for the first page. */
export const withoutCursors = (draft: Draft): Draft =>
  cursorsOf(draft)
    .filter((index) => draft.subject.parameters[index]?.spec.required !== true)
    .reduce((first, index) => withPart(first, index, undefined), draft)
