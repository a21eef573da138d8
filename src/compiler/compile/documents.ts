/** The entry for development commands: reads a contract, its document and the places in its files. */

export { resembles } from './diagnostics/near-miss.ts'
export {
  ContractError,
  type ContractProblem,
  contractError,
  hasErrors,
  reasonOf
} from './diagnostics/problem.ts'
export { parsedYaml, type Reviewed, readReviewed } from './diagnostics/reviewed-list.ts'
export { positionOf } from './diagnostics/source-position.ts'
export {
  arrayOf,
  define,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringify,
  stringOf
} from './document/json-value.ts'
export { type OperationNode, operationNodes, operationsIn, securityOf } from './document/operation-objects.ts'
export { type Parameter, parameterIn, parametersOf, stylesIn } from './document/parameter-objects.ts'
export { fragmentSegments, unescapePointer } from './document/pointer.ts'
export { atPointer, dereference, isFlagged, pointerOf } from './document/reference.ts'
export { typesOf } from './document/schema-object.ts'
export { translatePattern } from './document/translate-pattern.ts'
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
export { anyItem, sequenceOf } from './operations/sequence.ts'
export { formatCheck } from './vocabulary/formats.ts'
