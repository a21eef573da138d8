/** The entry of the comparison of contracts, for development time. */
import { buildContract, type JsonObject } from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import { compareContracts } from './operations/compare-contracts.ts'
import type { Change, Report } from './operations/rules.ts'

export { type Accepted, readAccepted, withoutAccepted } from './operations/accepted.ts'
export type { List } from './operations/rules.ts'
export type { Change, Report }

/** Compares two loaded contracts; places refer to the new one. */
export const compareLoaded = (old: LoadedContract, now: LoadedContract, today: Date): Report =>
  compareContracts(old.model, now.model, today)

/** Returns the changes between two documents as sentences: `breaking` → `POST /pets body/name: maxLength now 5 (was 10)`. */
export function changeSentences(old: JsonObject, now: JsonObject, today: Date): Map<string, string[]> {
  const nowhere = () => ({ file: '', pointer: '', line: 1, column: 1 })
  const report = Object.entries(
    compareContracts(buildContract(old, nowhere), buildContract(now, nowhere), today)
  )
  return new Map(
    report.flatMap(([list, changes]) => (changes.length > 0 ? [[list, changes.map(sentenceOf)]] : []))
  )
}

const sentenceOf = ({ operation, message }: Change): string =>
  operation === null || message.startsWith(operation) ? message : `${operation} ${message}`
