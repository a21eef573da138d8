/** Contracts of this repository, loaded. */
import { globSync, readFileSync } from 'node:fs'
import { hasErrors } from '../../src/contract/diagnostics/problem.ts'
import { type LoadedContract, loadContract } from '../../src/contract/load/load.ts'

const files = [
  ...globSync('test/contracts/*.yaml'),
  ...globSync('test/tools/**/*.yaml'),
  ...['test/contracts/multi-file/openapi.yaml', 'openapi.yaml'],
  ...globSync('test/projects/contracts/{*.yaml,*/openapi.yaml}'),
  ...globSync('examples/*/openapi.yaml')
]
  // Other files of these folders are tables of tests.
  .filter((file) => /^openapi:/m.test(readFileSync(file, 'utf8')))
  .sort()

/** Yields each contract that compiles, by its path. */
export async function* collection(): AsyncGenerator<readonly [string, LoadedContract]> {
  for (const file of files) {
    const contract = await loadContract(file, () => {})
    if (!hasErrors(contract.problems)) yield [file, contract]
  }
}
