/**
 * Types of the engine that contracts share: imported by generated/types.ts in a project that depends on the engine, and
 * copied elsewhere, so that generated code is complete wherever it lies.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ts } from '../../source/typescript.ts'

const engine = '@contract-first/engine'
const specifier = `${engine}/contract-types`
const file = fileURLToPath(import.meta.resolve(specifier)).replace(/\.js$/, '.d.ts')

const module = readFileSync(file, 'utf8')

/** Names of the declarations. Most projects import the types: only those that copy them need a parser. */
const names = [...module.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name)

/** Returns the declarations by name. Sources and the declaration files of a package are printed alike. */
function declarations(): ReadonlyMap<string, string> {
  const [, withoutHeader = ''] = /^\/\*\*.*?\*\/(.*)$/s.exec(module) ?? []
  const source = ts.createSourceFile(file, withoutHeader, ts.ScriptTarget.Latest)
  const printer = ts.createPrinter()
  const named = source.statements.filter(
    (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
  )
  return new Map(
    named.map((node) => [node.name.text, printer.printNode(ts.EmitHint.Unspecified, node, source)])
  )
}

/** Returns true for a text that has the name as a word. */
const isNamedIn = (text: string, name: string): boolean =>
  text.includes(name) && new RegExp(`\\b${name}\\b`).test(text)

/**
 * Returns true for a folder whose package.json, or one above it, names the engine. Reads manifests instead of looking for
 * the package, because a new project is compiled before npm installs it.
 */
export function dependsOnEngine(folder: string): boolean {
  const manifest = join(folder, 'package.json')
  if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes(`"${engine}"`)) return true
  return dirname(folder) !== folder && dependsOnEngine(dirname(folder))
}

/**
 * Exports the types, and imports those that a text names. A name may stand for something else, such as a property: the
 * import is exported, because a type checker reports one that nothing uses.
 */
export function importedTypes(text: string): string {
  const used = names.filter((name) => isNamedIn(text, name)).join(', ')
  const imports =
    used === '' ? '' : `import type { ${used} } from '${specifier}';\nexport type { ${used} };\n`
  return `${imports}export type * from '${specifier}';\n`
}

/** Returns the declarations that a text names, be it in a comment, and those that these name. */
export function sharedTypes(text: string): string {
  const declared = declarations()
  const used = new Set<string>()
  const add = (user: string): void => {
    for (const [name, declaration] of declared) {
      if (used.has(name) || !isNamedIn(user, name)) continue
      used.add(name)
      add(declaration)
    }
  }
  add(text)
  return [...declared].flatMap(([name, declaration]) => (used.has(name) ? `${declaration}\n` : [])).join('')
}
