/** Three-valued results: yes, no, and undefined for unknown (Kleene's logic). */
export type Verdict = boolean | undefined

/** Takes no verdict after a false one. */
export function all(verdicts: Iterable<Verdict>): Verdict {
  let found: Verdict = true
  for (const verdict of verdicts) {
    if (verdict === false) return false
    if (verdict === undefined) found = undefined
  }
  return found
}

export const negation = (verdict: Verdict): Verdict => (verdict === undefined ? undefined : !verdict)

/** Takes no verdict after a true one. */
export const any = (verdicts: IteratorObject<Verdict>): Verdict => negation(all(verdicts.map(negation)))

/** Returns whether the number of true verdicts is within bounds. */
export function counted(verdicts: readonly Verdict[], least: number, most: number): Verdict {
  const sure = verdicts.filter((verdict) => verdict === true).length
  const possible = verdicts.filter((verdict) => verdict !== false).length
  if (sure > most || possible < least) return false
  return sure >= least && possible <= most ? true : undefined
}
