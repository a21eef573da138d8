/** Loads the compiled code of a contract: at boot, or with the first request of a large contract. */
import type { CompiledCode, Contract, LoadCode } from '../model/compiled-contract.ts'
import { checkLoaded } from './boot-checks.ts'

/** Maximum of operations whose code is loaded at boot, which takes about a tenth of a second. */
const maxOperationsAtBoot = 300

/** @returns a function that loads the code once, and is synchronous from then on */
export async function codeLoader(
  contract: Contract,
  onLoad: (code: CompiledCode) => void
): Promise<LoadCode> {
  let code: CompiledCode | Promise<CompiledCode> | undefined
  const load = async () => {
    const loaded = await contract.load()
    checkLoaded(contract, loaded)
    code = loaded
    return loaded
  }
  if (contract.operations.length <= maxOperationsAtBoot) onLoad(await load())
  return () => {
    code ??= load().then((loaded) => {
      setImmediate(onLoad, loaded)
      return loaded
    })
    return code
  }
}
