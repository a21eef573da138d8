/**
 * Makes a valid identifier of a name.
 * @returns an identifier that resembles the name
 */
export function labelOf(name: string): string {
  return `_${name.replaceAll(/[^A-Za-z0-9_]/g, '_')}`.replace(/^_(?=[A-Za-z])/, '')
}
