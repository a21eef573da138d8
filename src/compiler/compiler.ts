/**
 * The entry of the compiler, for development time. It loads megabytes of libraries: a command that may end without a
 * compilation imports it late, and the rest of compile/ by path.
 */
export { byCause, ContractError, type ContractProblem, formatProblem } from '@contract-first/contract'
export { ContractFolder } from '@contract-first/contract/load'
export { stringify } from '@contract-first/engine/json'
export type { CompileObserver } from './compile/checked-operations.ts'
export type { Compiled } from './compile/compile.ts'
export { settingFiles } from './compile/emit/code-language.ts'
export { writeFiles } from './compile/emit/write.ts'
export { compileContract, type Generated, type GenerateOptions, generate } from './compile/generate.ts'
export { compileInMemory, type InMemory } from './compile/in-memory.ts'
