/** Compares the links of an answer: clients follow them by name. */
import { type JsonObject, objectOf, own } from '../../compile/documents.ts'
import type { Both, Draft } from './draft.ts'

export function linkDrafts({ old, now }: Both<JsonObject>): Draft[] {
  const [before, after] = [objectOf(own(old, 'links')), objectOf(own(now, 'links'))]
  const spot = { node: now, key: 'links' }
  return [
    ...Object.keys(before)
      .filter((name) => !Object.hasOwn(after, name))
      .map(
        (name) =>
          ({ rule: 'link-removed', place: `links/${name}`, text: `link ${name} is gone`, spot }) as const
      ),
    ...Object.keys(after)
      .filter((name) => !Object.hasOwn(before, name))
      .map(
        (name) => ({ rule: 'link-added', place: `links/${name}`, text: `link ${name} added`, spot }) as const
      )
  ]
}
