/** Names the types of operations: `createPet` becomes `CreatePet`, to which `Request` and `Answer` are added. */

/** @returns a name for each operationId, in order; equal names get a number */
export function operationTypeNames(operationIds: readonly string[]): string[] {
  const taken = new Set<string>()
  return operationIds.map((operationId) => {
    const name = pascalCase(operationId)
    let unique = name
    for (let number = 2; taken.has(unique); number++) unique = `${name}${number}`
    taken.add(unique)
    return unique
  })
}

/** Keeps letters and digits of every script that an identifier may have (ECMAScript, section 12.7). */
function pascalCase(operationId: string): string {
  const words = operationId.split(/[^\p{ID_Continue}$]+/u).filter((word) => word !== '')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[\p{ID_Start}_$]/u.test(name) ? name : `Operation${name}`
}
