/** Freezes values that several requests share. */

/** Freezes a value made from JSON and everything in it, without recursion: a client may nest it deeply. */
export function deepFrozen<Value extends object>(value: Value): Value {
  const pending: unknown[] = [value]
  for (const each of pending) {
    if (typeof each !== 'object' || each === null) continue
    for (const member of Object.values(Object.freeze(each))) pending.push(member)
  }
  return value
}
