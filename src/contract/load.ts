/** Entry point of the reader of contracts: files to a document, its model, and what is wrong with it. */
export { checkContract } from './checks/checks.ts'
export { type Reviewed, readReviewed } from './diagnostics/reviewed-list.ts'
export { SourceFile } from './diagnostics/source-file.ts'
export {
  assertSize,
  ContractFolder,
  type FileTree,
  isBelow,
  NotReadable,
  notRegular
} from './load/contract-folder.ts'
export { type LoadedContract, loadContract } from './load/load.ts'
