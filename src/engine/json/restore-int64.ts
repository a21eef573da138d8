/** Converts every int64 of a validated body to a bigint with the exact value that the client sent, and parses texts of formats. */
import type { CompiledCode } from '../model/compiled-contract.ts'
import type { Format } from '../model/own-format.ts'
import { pattern } from '../model/pattern.ts'
import type { Int64Node, Int64Plan } from '../model/value-plans.ts'
import type { Exactness } from './inexact-numbers.ts'
import { type ConvertPlaces, convertInt64, int64Places } from './int64-places.ts'

type Code = Pick<CompiledCode, 'validators' | 'formats'>

interface Place {
  readonly holder: object
  readonly key: string
}

interface Visit extends Place {
  readonly plan: string
}

/**
 * Finds all places first, then converts in place, because the validators of branches must see the values as sent.
 * @param root object that holds the body under the empty key
 */
export function restoreInt64(
  root: object,
  plan: Int64Plan,
  code: Code,
  exactness: Exactness | undefined
): void {
  const convert = knownPlaces(plan)
  if (convert === undefined) searchInt64(root, plan, code, exactness)
  else convert(root, '', exactness)
}

/** Does the same without the functions of known places, which are faster and more code. */
export function searchInt64(...[root, plan, code, exactness]: Parameters<typeof restoreInt64>): void {
  const search = new Search(plan, code, exactness)
  search.add({ holder: root, key: '', plan: plan.start })
  for (const visit of search.pending) search.visit(visit)
  for (const { holder, key } of search.found) convertInt64(holder, key, exactness)
  for (const { holder, key, format } of search.texts) convertText(holder, key, code.formats?.[format])
}

/** Two parts of a schema may lead to one place. */
function convertText(holder: object, key: string, format: Format | undefined): void {
  const text: unknown = Reflect.get(holder, key)
  if (typeof text === 'string' && format?.check(text)) Reflect.set(holder, key, format.parse?.(text))
}

const known = new WeakMap<Int64Plan, { readonly convert: ConvertPlaces | undefined }>()

function knownPlaces(plan: Int64Plan): ConvertPlaces | undefined {
  const found = known.get(plan) ?? { convert: int64Places(plan) }
  known.set(plan, found)
  return found.convert
}

/** Applies each plan to each object once, so that the work is linear. A list of visits replaces recursion. */
class Search {
  readonly found: Place[] = []
  readonly texts: (Place & { readonly format: string })[] = []
  readonly pending: Visit[] = []
  readonly #plan: Int64Plan
  readonly #code: Code
  readonly #exactness: Exactness | undefined
  readonly #visited = new Map<string, Set<unknown>>()
  /** Verdicts that the validators of branches share, so that each object is validated once (runtime/validation-run.ts). */
  readonly #verdicts = new Map<unknown, unknown>()

  constructor(plan: Int64Plan, code: Code, exactness: Exactness | undefined) {
    this.#plan = plan
    this.#code = code
    this.#exactness = exactness
  }

  add(visit: Visit): void {
    const value: unknown = Reflect.get(visit.holder, visit.key)
    if (typeof value === 'object') {
      const visited = this.#visited.get(visit.plan) ?? new Set()
      if (visited.has(value)) return
      this.#visited.set(visit.plan, visited.add(value))
    }
    this.pending.push(visit)
  }

  visit({ holder, key, plan }: Visit): void {
    const node = this.#plan.plans[plan] as Int64Node // every name is one of the plans: int64-plan.ts
    const value: unknown = Reflect.get(holder, key)
    if (node.int64 === true && typeof value === 'number') this.found.push({ holder, key })
    if (node.format !== undefined && typeof value === 'string')
      this.texts.push({ holder, key, format: node.format })
    for (const part of node.parts ?? [])
      if (part.when === undefined || this.#accepts(part.when, holder, key))
        this.add({ holder, key, plan: part.plan })
    if (Array.isArray(value)) this.#addItems(value, node)
    else if (typeof value === 'object' && value !== null) this.#addMembers(value, node)
  }

  #addItems(items: readonly unknown[], node: Int64Node): void {
    if (node.items === undefined && node.prefixItems === undefined) return
    for (let index = 0; index < items.length; index++) {
      const plan = index < (node.prefixItems?.length ?? 0) ? node.prefixItems?.[index] : node.items
      if (typeof plan === 'string') this.add({ holder: items, key: String(index), plan })
    }
  }

  #addMembers(members: object, node: Int64Node): void {
    for (const [key, plan] of Object.entries(node.properties ?? {})) {
      if (Object.hasOwn(members, key)) this.add({ holder: members, key, plan })
    }
    if (node.additional === undefined && node.patterns === undefined) return
    for (const key of Object.keys(members)) {
      const matching = (node.patterns ?? []).filter(([source]) => pattern(source).test(key))
      for (const [, plan] of matching) this.add({ holder: members, key, plan })
      const additional = matching.length === 0 && !node.declared?.includes(key) ? node.additional : undefined
      if (additional !== undefined) this.add({ holder: members, key, plan: additional })
    }
  }

  #accepts(validator: string, holder: object, key: string): boolean {
    const context = { holder, key, verdicts: this.#verdicts }
    return this.#code.validators[validator]?.call(this.#exactness, Reflect.get(holder, key), context) === true
  }
}
