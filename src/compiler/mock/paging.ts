/** Pages of a list: which items a query asks for, and the members of an answer that count them and name the next page. */

export type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)

export interface List {
  /** Number of all items; undefined where it is not known. */
  readonly count?: number
  readonly isLast: boolean
}

interface Paged {
  readonly body?: unknown
  /** Returns whether the contract accepts another body. */
  readonly accepts?: (body: unknown) => boolean
}

/** Names of members that count the items of a list. */
const isCount = /^(count|size|length)$|total|count$/i

/** Names of members that are null, absent or false on the last page of a list. */
const isNext =
  /^next([-_]?(page|cursor|token|link|ur[il]|href|offset|marker|key))*$|^has[-_]?(more|next([-_]?page)?)$/i

/**
 * Returns the body with the number of items, and without a next page after the last one, where the contract accepts it;
 * also in objects beside the items.
 */
export function pagedBody({ body, accepts = () => false }: Paged, list: List = { isLast: true }): unknown {
  if (!isMembers(body)) return body
  let result = body
  for (const [name, member] of Object.entries(body)) {
    const whole = result
    const { [name]: _member, ...others } = whole
    const put = (value: unknown) => (value === undefined ? others : { ...whole, [name]: value })
    const inner = { body: member, accepts: (value: unknown) => accepts(put(value)) }
    result = valuesFor(name, inner, list).map(put).find(accepts) ?? result
  }
  return result
}

/** Returns the values that a member may have, the best one first; undefined for an absent member. */
function valuesFor(name: string, inner: Paged, list: List): readonly unknown[] {
  const { body } = inner
  if (isNext.test(name) && typeof body === 'boolean') return [!list.isLast]
  if (isNext.test(name)) return list.isLast ? [null, undefined] : []
  if (isCount.test(name) && typeof body === 'number') return [list.count ?? body]
  return isMembers(body) ? [pagedBody(inner, list)] : []
}

/** Most items of a page, by the names of common parameters. */
const isSize = /^(limit|size|(page|max)[-_]?(size|results|items)|per[-_]?page)$/i

interface Page {
  /** Position of the first item. */
  readonly start: number
  /** Position behind the last item. */
  readonly end: number
}

/** Returns the page that a query asks for by its first item or its number; all items for other queries. */
export function pageOf(query: Members = {}): Page {
  const given = (names: RegExp) => {
    const [, value] = Object.entries(query).find(([name]) => names.test(name)) ?? []
    const number = typeof value === 'object' ? Number.NaN : Number(value)
    return number >= 0 ? number : undefined
  }
  const size = given(isSize) ?? Number.MAX_SAFE_INTEGER
  const page = given(/^page([-_]?number)?$/i)
  const start = given(/^(offset|skip)$/i) ?? (page === undefined ? undefined : Math.max(0, page - 1) * size)
  return start === undefined ? { start: 0, end: Number.MAX_SAFE_INTEGER } : { start, end: start + size }
}
