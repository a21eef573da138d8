/** Lists in the summary of a run the changes that break clients of the contract compiled last. */
import type { Changes, Generated } from '../../compiler.ts'

/** Returns the run with another subject in its changes: `breaking`. */
export async function withBreaking(generated: Generated): Promise<Generated> {
  const { changes, documents } = generated
  if (changes.size === 0 || documents.before === undefined) return generated
  const { breakingSentences } = await import('../../diff.ts')
  const breaking = breakingSentences({ old: documents.before, now: documents.after }, new Date())
  const marked: Changes = breaking.length === 0 ? changes : new Map([...changes, ['breaking', breaking]])
  return { ...generated, changes: marked }
}
