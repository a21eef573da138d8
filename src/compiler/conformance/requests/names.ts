/** Names of properties, parameters and resources, compared without their spelling: `petId` equals `pet_id`. */

export const nameOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Returns the singular of the last literal segment: `pet` for `/pets` and `/pets/{id}`. */
export function resourceOf(path: string): string {
  const literals = path.split('/').filter((segment) => segment !== '' && !segment.includes('{'))
  return singular(nameOf(literals.at(-1) ?? ''))
}

/** Returns the singular of the segment before the parameter: `pet` for `id` in `/pets/{id}/toys`. */
export function ownerOf(path: string, parameter: string): string {
  return resourceOf(path.slice(0, Math.max(0, path.indexOf(`{${parameter}}`))))
}

const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<!s)s$/, '')
