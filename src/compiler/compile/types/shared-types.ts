/** Types of the engine that contracts share, as texts for generated/types.ts. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const door = fileURLToPath(import.meta.resolve('@contract-first/engine/contract-types'))

/** Declarations by name. Sources and the declaration files of a package are printed alike. */
const declarations = declarationsIn(readFileSync(door.replace(/\.js$/, '.d.ts'), 'utf8'))

function declarationsIn(text: string): ReadonlyMap<string, string> {
  const [, withoutHeader = ''] = /^\/\*\*.*?\*\/(.*)$/s.exec(text) ?? []
  const source = ts.createSourceFile(door, withoutHeader, ts.ScriptTarget.Latest)
  const printer = ts.createPrinter()
  const named = source.statements.filter(
    (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
  )
  return new Map(
    named.map((node) => [node.name.text, printer.printNode(ts.EmitHint.Unspecified, node, source)])
  )
}

/** Returns the declarations that a text names, be it in a comment, and those that these name. */
export function sharedTypes(text: string): string {
  const used = new Set<string>()
  const add = (user: string): void => {
    for (const [name, declaration] of declarations) {
      if (used.has(name) || !new RegExp(`\\b${name}\\b`).test(user)) continue
      used.add(name)
      add(declaration)
    }
  }
  add(text)
  return [...declarations]
    .flatMap(([name, declaration]) => (used.has(name) ? `${declaration}\n` : []))
    .join('')
}
