/** Converts every int64 of a validated body to a bigint: exactly the number that the client spelled. */
import type { CompiledCode } from '../model/compiled-contract.ts'
import type { Exactness } from '../model/exactness.ts'
import type { Int64Node, Int64Plan } from '../model/int64-plan.ts'
import { pattern } from '../model/pattern.ts'

interface Place {
  readonly holder: object
  readonly key: string
}

/**
 * Converts in place, after all places are found, because the validators of branches must see what was sent.
 * @param root holds the body under the empty key
 */
export function restoreInt64(
  root: object,
  plan: Int64Plan,
  code: CompiledCode,
  exactness: Exactness | undefined
): void {
  const found: Place[] = []
  visit({ holder: root, key: '' }, plan.start)
  for (const place of found) convert(place, exactness)

  function visit(place: Place, name: string): void {
    const node = plan.plans[name] as Int64Node // every name is one of the plans: int64-plan.ts
    const value: unknown = Reflect.get(place.holder, place.key)
    if (node.int64 === true && typeof value === 'number') found.push(place)
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
    for (const [key, child] of Object.entries(node.properties ?? {})) {
      if (Object.hasOwn(members, key)) visit({ holder: members, key }, child)
    }
    if (node.additional === undefined && node.patterns === undefined) return
    for (const key of Object.keys(members)) {
      const matching = (node.patterns ?? []).filter(([source]) => pattern(source).test(key))
      for (const [, child] of matching) visit({ holder: members, key }, child)
      const additional = matching.length === 0 && !node.declared?.includes(key) ? node.additional : undefined
      if (additional !== undefined) visit({ holder: members, key }, additional)
    }
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

/** Idempotent: bigints are skipped. */
function convert({ holder, key }: Place, exactness: Exactness | undefined): void {
  const value: unknown = Reflect.get(holder, key)
  const exact = exactness?.get(holder)?.get(key)
  if (typeof exact === 'bigint') Reflect.set(holder, key, exact)
  else if (exact === undefined && Number.isInteger(value)) Reflect.set(holder, key, BigInt(Number(value)))
}
