/** After validation, every int64 of a body becomes a bigint: exactly the number that the client spelled. */
import type { CompiledCode } from './contract.ts'
import type { Exactness } from './exact-json.ts'

/** Where a schema holds int64. Named plans make recursive schemas finite. */
export interface Int64Plan {
  /** The plan of the whole value: a name in `plans`. */
  readonly start: string
  readonly plans: Readonly<Record<string, Int64Node>>
}

/** All of it applies to the same value. */
export interface Int64Node {
  readonly int64?: true
  readonly properties?: Readonly<Record<string, string>>
  readonly patterns?: readonly (readonly [string, string])[]
  readonly additional?: string
  /** With `additional`: the names it does not apply to. */
  readonly declared?: readonly string[]
  readonly items?: string
  readonly prefixItems?: readonly (string | null)[]
  /** Parts of a composition: always, or where the validator named by `when` accepts the value. */
  readonly parts?: readonly { readonly plan: string; readonly when?: string }[]
}

interface Place {
  readonly holder: object
  readonly key: string
}

/** Converts in place. @param root holds the body under the empty key */
export function restoreInt64(
  root: object,
  plan: Int64Plan,
  code: CompiledCode,
  exactness: Exactness | undefined
): void {
  visit({ holder: root, key: '' }, plan.start)

  function visit(place: Place, name: string): void {
    const node = plan.plans[name]
    const value: unknown = Reflect.get(place.holder, place.key)
    if (node === undefined) return
    if (node.int64 === true && typeof value === 'number')
      Reflect.set(place.holder, place.key, exactInteger(value, place))
    for (const { plan: part, when } of node.parts ?? [])
      if (when === undefined || accepts(when, place)) visit(place, part)
    if (Array.isArray(value)) visitItems(value, node)
    else if (typeof value === 'object' && value !== null) visitMembers(value, node)
  }

  function visitItems(items: readonly unknown[], node: Int64Node): void {
    if (node.items === undefined && node.prefixItems === undefined) return
    for (let index = 0; index < items.length; index++) {
      const child = index < (node.prefixItems?.length ?? 0) ? node.prefixItems?.[index] : node.items
      if (typeof child === 'string') visit({ holder: items, key: String(index) }, child)
    }
  }

  function visitMembers(members: object, node: Int64Node): void {
    const named = node.properties ?? {}
    for (const key of Object.keys(named)) {
      if (Object.hasOwn(members, key)) visit({ holder: members, key }, named[key] ?? '')
    }
    if (node.additional === undefined && node.patterns === undefined) return
    for (const key of Object.keys(members)) {
      const matching = (node.patterns ?? []).filter(([pattern]) => new RegExp(pattern).test(key))
      for (const [, child] of matching) visit({ holder: members, key }, child)
      const additional = matching.length === 0 && !node.declared?.includes(key) ? node.additional : undefined
      if (additional !== undefined) visit({ holder: members, key }, additional)
    }
  }

  function exactInteger(value: number, { holder, key }: Place): number | bigint {
    const exact = exactness?.get(holder)?.get(key)
    if (typeof exact === 'bigint') return exact
    return exact === undefined && Number.isInteger(value) ? BigInt(value) : value
  }

  function accepts(validator: string, { holder, key }: Place): boolean {
    const value: unknown = Reflect.get(holder, key)
    const context = {
      instancePath: '',
      parentData: holder,
      parentDataProperty: key,
      rootData: value,
      dynamicAnchors: {}
    }
    return code.validators[validator]?.call(exactness, value, context) === true
  }
}
