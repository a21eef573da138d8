import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import { writeFiles } from '../../../src/contract/compile/emit/write.ts'
import type { Contract } from '../../../src/contract/model/compiled-contract.ts'
import { compileCached } from '../../contracts/compile-cache.ts'

/** Returns shop.yaml, compiled. */
export async function compiledShop(t: Test): Promise<Contract> {
  const folder = t.testdir({})
  await writeFiles(await compileCached(join(import.meta.dirname, 'shop.yaml'), folder), folder)
  return (await import(pathToFileURL(join(folder, 'contract.ts')).href)).default
}
