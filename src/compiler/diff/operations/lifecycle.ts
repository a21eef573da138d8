/** The announced end of an operation: `deprecated`, and the date in `x-sunset`. */
import { type JsonObject, own } from '../../compile/documents.ts'
import type { Both, Draft } from './draft.ts'

const key = 'x-sunset'
const place = key

export const isDeprecated = (node: JsonObject): boolean => own(node, 'deprecated') === true

/** Returns the day from which an operation may be gone; undefined without a valid date. */
export function sunsetOf(node: JsonObject): Date | undefined {
  const date = new Date(String(own(node, key)))
  return Number.isNaN(date.getTime()) ? undefined : date
}

export function lifecycleDrafts({ old, now }: Both<JsonObject>): Draft[] {
  return [...deprecationDrafts({ old, now }), ...sunsetDrafts({ old, now })]
}

function deprecationDrafts({ old, now }: Both<JsonObject>): Draft[] {
  if (isDeprecated(old) === isDeprecated(now)) return []
  const spot = { node: now, key: 'deprecated' }
  return isDeprecated(now)
    ? [{ rule: 'operation-deprecated', place: 'deprecated', text: 'now deprecated', spot }]
    : [{ rule: 'operation-undeprecated', place: 'deprecated', text: 'no longer deprecated', spot }]
}

function sunsetDrafts({ old, now }: Both<JsonObject>): Draft[] {
  const [was, is] = [own(old, key), own(now, key)]
  if (was === is) return []
  const spot = { node: now, key }
  const text = `${key} now ${String(is ?? 'none')} (was ${String(was ?? 'none')})`
  if (is === undefined) return [{ rule: 'sunset-removed', place, text, spot }]
  const [before, after] = [sunsetOf(old), sunsetOf(now)]
  if (after === undefined) return [{ rule: 'sunset-unreadable', place, text, spot }]
  if (before === undefined) return [{ rule: 'sunset-added', place, text, spot }]
  return [{ rule: after < before ? 'sunset-moved-earlier' : 'sunset-moved-later', place, text, spot }]
}
