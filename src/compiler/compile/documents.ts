/** The entry for development commands: reads a contract, its document and the places in its files. */

export {
  ContractError,
  type ContractProblem,
  contractError,
  hasErrors,
  reasonOf
} from './diagnostics/problem.ts'
export { parsedYaml, type Reviewed, readReviewed } from './diagnostics/reviewed-list.ts'
export { positionOf } from './diagnostics/source-position.ts'
export { resembles } from './diagnostics/spelling.ts'
export { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from './document/json-value.ts'
export { operationNodes } from './document/operation-objects.ts'
export { atPointer } from './document/reference.ts'
export {
  assertSize,
  ContractFolder,
  type FileTree,
  isBelow,
  NotReadable,
  notRegular
} from './load/contract-folder.ts'
export { type LoadedContract, loadContract } from './load/load.ts'
export { modelOf } from './model/contract-model.ts'
