/** The entry of the comparison of contracts, for development time. */
import type { JsonObject, LoadedContract } from './compile/documents.ts'
import { compareContracts } from './diff/operations/compare-contracts.ts'
import type { Both } from './diff/operations/draft.ts'
import type { Change, Report } from './diff/operations/rules.ts'

export {
  assertSize,
  ContractError,
  ContractFolder,
  type ContractProblem,
  contractError,
  type FileTree,
  hasErrors,
  isBelow,
  type LoadedContract,
  loadContract,
  NotReadable,
  notRegular,
  reasonOf,
  resembles
} from './compile/documents.ts'
export { type Accepted, readAccepted, withoutAccepted } from './diff/operations/accepted.ts'
export { type List, rules, rulesTables } from './diff/operations/rules.ts'
export type { Change, Report }

/** Returns the changes as sentences: `breaking` → `POST /pets body/name: maxLength now 5 (was 10)`. */
export function changeSentences({ old, now }: Both<JsonObject>, today: Date): Map<string, string[]> {
  const locate = () => ({ file: '', line: 1, column: 1 })
  const report = Object.entries(compareContracts({ old, now, locate, today }))
  return new Map(
    report.flatMap(([list, changes]) => (changes.length > 0 ? [[list, changes.map(sentenceOf)]] : []))
  )
}

const sentenceOf = ({ operation, message }: Change): string =>
  operation === null || message.startsWith(operation) ? message : `${operation} ${message}`

/** Compares two loaded contracts; places refer to the new one. */
export function compareLoaded(old: LoadedContract, now: LoadedContract, today: Date): Report {
  const locate = ({ node, key }: { readonly node: unknown; readonly key?: string }) => {
    const { file, line, column } = now.locator.problem('error', '', node, key)
    return { file, line, column }
  }
  return compareContracts({ old: old.document, now: now.document, locate, today })
}
