/** The model of a loaded contract; whatever moves over to it reads nothing of the document. */
import {
  buildContract,
  type Contract,
  type Operation,
  type Place,
  type Problem
} from '@contract-first/contract'
import type { Locator } from '../diagnostics/locator.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { escapePointer } from '../document/pointer.ts'
import type { LoadedContract } from '../load/load.ts'

const models = new WeakMap<LoadedContract['document'], Contract>()

/** Returns the model of a contract; the same one for the same document. */
export function modelOf({ document, locator }: Pick<LoadedContract, 'document' | 'locator'>): Contract {
  const model = models.get(document) ?? buildContract(document, (node, keys) => placeOf(locator, node, keys))
  models.set(document, model)
  return model
}

/** Returns a problem of the model in the form in which the compiler reports. */
export function contractProblem({ severity, message, origin }: Problem): ContractProblem {
  const { file, line, column } = origin
  return { severity, file, message, line, column }
}

/** Returns webhooks and the callbacks of operations and webhooks, by their ids. */
export function sentById({ operations, webhooks }: Contract): ReadonlyMap<string, Operation> {
  const callbacks = [...operations, ...webhooks].flatMap((each) =>
    each.callbacks.map(({ operation }) => operation)
  )
  return new Map([...webhooks, ...callbacks].map((each) => [each.id, each]))
}

/** Finds the last object on the way, whose file the locator knows, and the member below it. */
function placeOf(locator: Locator, node: object, keys: readonly string[]): Place {
  let holder = node
  let used = 0
  for (; used < keys.length - 1; used++) {
    const next: unknown = Reflect.get(holder, keys[used] ?? '')
    if (typeof next !== 'object' || next === null) break
    holder = next
  }
  const further = keys.slice(used)
  const { file, line, column } = locator.problem('error', '', holder, further[0])
  return { file, line, column, pointer: [locator.pointer(holder), ...further.map(escapePointer)].join('/') }
}
