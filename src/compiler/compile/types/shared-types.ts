/** Types of the engine that contracts share, as imports of generated/types.ts. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const specifier = '@contract-first/engine/contract-types'
const file = fileURLToPath(import.meta.resolve(specifier)).replace(/\.js$/, '.d.ts')
const declared = [...readFileSync(file, 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm)]
const names = declared.map(([, name]) => String(name))

/**
 * Exports the types, and imports those that a text names. A name may stand for something else, such as a property: the
 * import is exported, because a type checker reports one that nothing uses.
 */
export function sharedTypes(text: string): string {
  const words = new Set(text.match(/\w+/g))
  const used = names.filter((name) => words.has(name)).join(', ')
  const imports =
    used === '' ? '' : `import type { ${used} } from '${specifier}';\nexport type { ${used} };\n`
  return `${imports}export type * from '${specifier}';\n`
}
