/** Entry point of the model of a contract. */
export { buildContract, schemaIn, schemaOf } from './build/build-contract.ts'
export { streamKey } from './build/contents.ts'
export { uniqueIn } from './build/operations.ts'
export { decodedPath } from './checks/paths.ts'
export {
  addProblems,
  assertNoWarnings,
  byCause,
  ContractError,
  type ContractProblem,
  contractError,
  contractProblem,
  formatProblem,
  hasErrors,
  isOfExample,
  reasonOf,
  sortProblems,
  withoutConsequences
} from './diagnostics/problem.ts'
export { didYouMean, isNearMiss, resembles } from './diagnostics/spelling.ts'
export { methods, schemaKeywords } from './document/objects.ts'
export { atPath, atPointer } from './document/reference.ts'
export type { FormatsModule, OwnFormat, OwnFormats } from './load/own-formats.ts'
export type * from './model/contract.ts'
export {
  define,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  present
} from './model/json.ts'
export type { Origin, Place, Places, Problem, SourcePosition } from './model/origin.ts'
export {
  type Decimal,
  type Discriminator,
  type Example,
  isSchema,
  make,
  type Pattern,
  type Schema,
  type Type
} from './model/schema.ts'
export { type Alternative, type Alternatives, alternatives } from './views/alternatives.ts'
export { childrenOf, isRecursive, type Predicate, reaches } from './views/children.ts'
export { digestOf, validityDigest } from './views/digest.ts'
export {
  allUnnamed,
  anyValue,
  hiddenFlags,
  idOf,
  type Merged,
  merged,
  typeOf,
  type Writer
} from './views/merged.ts'
export {
  besideNull,
  defaultsOf,
  endOf,
  type Flag,
  hasSides,
  holdsBytes,
  isFlagged,
  isNull,
  isUnconstrained,
  partsAndItems,
  partsOf,
  requires,
  target
} from './views/parts.ts'
