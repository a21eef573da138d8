/** Chooses few requests that together have every place, every branch of a union, and lists of several items. */

import type { Draft } from '../../instances/requests/draft.ts'
import type { Schemas } from '../../instances/schemas.ts'
import { type Part, placesIn } from './draft-part.ts'

const maxChosen = 12

/** @returns those of the given requests, in their order, that have a place which none before them has */
export function coveringDrafts(drafts: readonly Draft[], schemas: Schemas): readonly Draft[] {
  const seen = new Set<string>()
  const chosen: Draft[] = []
  for (const draft of drafts) {
    const fresh = placeNames(draft, schemas).filter((name) => !seen.has(name))
    if (fresh.length === 0 || chosen.length >= maxChosen) continue
    for (const name of fresh) seen.add(name)
    chosen.push(draft)
  }
  return chosen
}

function placeNames(draft: Draft, schemas: Schemas): string[] {
  const type = draft.body?.of.content.mediaType ?? ''
  const parts: Part[] = [...draft.subject.parameters.keys(), 'body']
  return parts.flatMap((part) =>
    placesIn(draft, part, schemas).map(({ path, names, value, schemas: own }) => {
      const isConstant = own.some((schema) => schema.const !== undefined)
      const place = names.map((name, level) => (name === '*' ? path[level] : name)).join('/')
      return `${part} ${type} ${place} ${typeof value} ${isConstant ? String(value) : ''}`
    })
  )
}
