/** Makes requests that are valid but unusual. */

import type { Draft, IdKind } from '../../instances/requests/draft.ts'
import type { Judge } from '../../instances/requests/verdict.ts'
import type { Schemas } from '../../instances/schemas.ts'
import { type Part, partOf, withPart } from './draft-part.ts'
import { idProperty } from './fresh-ids.ts'
import { type Place, placesOf, withValueAt } from './places.ts'
import { unusualValues } from './unusual-values.ts'

type Change = (draft: Draft) => Draft

const idKinds: readonly IdKind[] = ['beyond', 'highest', 'lowest']

/**
 * Returns requests with unusual ids, then with the first unusual value in every text and number at once, then the
 * second and so on, then with unusual lists and objects one by one. A smaller request then shows each finding.
 */
export function unusualDrafts(base: Draft, schemas: Schemas, judge: Judge): readonly Draft[] {
  const places = changesOf(base, schemas)
  const leaves = places.filter(({ isLeaf }) => isLeaf).map(({ changes }) => changes)
  const others = places.filter(({ isLeaf }) => !isLeaf).map(({ changes }) => changes)
  const ids =
    idProperty(base.subject, base.body?.value) === undefined ? [] : idKinds.map((id) => ({ ...base, id }))
  const combined = turnsOf(leaves).map((changes) =>
    changes.reduce((draft, change) => validOr(change(draft), draft, judge), base)
  )
  const single = turnsOf(others)
    .flat()
    .map((change) => change(base))
  return [...ids, ...combined, ...single].filter((draft) => judge.isValid(draft))
}

const validOr = (changed: Draft, draft: Draft, judge: Judge): Draft =>
  judge.isValid(changed) ? changed : draft

/** Returns the first of each list, then the second of each, and so on. */
function turnsOf<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? []))
}

function changesOf(base: Draft, schemas: Schemas): { isLeaf: boolean; changes: readonly Change[] }[] {
  const { parameters } = base.subject
  const values = parameters.flatMap(({ spec, schema }, index) => {
    const value = base.values[index]
    // A path refers to an existing resource.
    return value === undefined || spec.in === 'path' ? [] : changesAt(index, placesOf(value, schema, schemas))
  })
  const id = idProperty(base.subject, base.body?.value)
  const places = base.body === undefined ? [] : placesOf(base.body.value, base.body.of.schema, schemas)
  const isId = ({ path }: Place) => path.length === 1 && path[0] === id
  return [
    ...changesAt(
      'body',
      places.filter((place) => !isId(place))
    ),
    ...values
  ]
}

function changesAt(part: Part, places: readonly Place[]) {
  return places.map((place) => ({
    isLeaf: typeof place.value !== 'object' || place.value === null,
    changes: unusualValues(place).map(
      (value): Change =>
        (draft) =>
          withPart(draft, part, withValueAt(partOf(draft, part), place.path, value))
    )
  }))
}
