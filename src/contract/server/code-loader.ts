/** When the compiled code of a contract is loaded: at boot, or where that would take long, by the first request. */
import type { CompiledCode, Contract, LoadCode } from '../model/compiled-contract.ts'

/** The code of this many operations is loaded before it is needed: about a tenth of a second. */
const eager = 300

/** @returns a function that loads the code once, and is synchronous from then on */
export async function codeLoader(
  contract: Contract,
  onLoad: (code: CompiledCode) => void
): Promise<LoadCode> {
  let code: CompiledCode | Promise<CompiledCode> | undefined
  const load = async () => {
    const loaded = await contract.load()
    code = loaded
    return loaded
  }
  if (contract.operations.length <= eager) onLoad(await load())
  return () => {
    code ??= load().then((loaded) => {
      setImmediate(onLoad, loaded)
      return loaded
    })
    return code
  }
}
