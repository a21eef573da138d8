/** A contract is data: compiling one of another author reads only its own files, and starts nothing. */
import type { Mutation } from './mutation.ts'

export const contracts: readonly Mutation[] = [
  {
    guarantee: 'references of a contract stay below its folder',
    file: 'src/compiler/compile/load/contract-folder.ts',
    search: 'if (real !== undefined && !isBelow(this.#realRoot, real)) throw outside\n',
    replacement: '',
    test: 'compiler/compile/load/contract-folder.test.ts'
  },
  {
    guarantee: 'git fetches nothing, whatever the configuration of a repository says',
    file: 'src/compiler/command/contract-diff/git.ts',
    search: ', ...isolation',
    replacement: '',
    test: 'compiler/command/contract-diff/git.test.ts'
  }
]
