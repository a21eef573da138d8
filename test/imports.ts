/** Reads the imports of this project's source files, type imports included. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

export interface Import {
  readonly from: string
  /** Path of a file in this project, or the name of a package. */
  readonly to: string
  readonly isType: boolean
  /** True for an import by the name of a package instead of a path. */
  readonly isNamed: boolean
}

/** Lists the TypeScript files below a folder, declarations excepted. */
export function sourceFiles(folder = 'src'): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name))
}

export function importsOf(from: string): Import[] {
  const statements =
    /^(?:import|export) (type )?[^']*?from '([^']+)'|^import '([^']+)'|\b(?:(?:import|import\.meta\.resolve)\(|new URL\((?='\.[^']*', import\.meta\.url))(?:'([^']+)'|`(\.[^`$]+)\$\{extname\()/gm
  return [...readFileSync(from, 'utf8').matchAll(statements)].flatMap(
    ([, type, name, effect, lazy, stem]) => {
      const target = name ?? effect ?? lazy ?? `${stem}.ts`
      const isNamed = !target.startsWith('.')
      const to = isNamed ? (fileOf(target) ?? target) : join(dirname(from), target)
      // The text belongs to another project; the type checker reports a missing file of this one.
      if (!isNamed && !existsSync(to)) return []
      return [{ from, to, isType: type !== undefined, isNamed }]
    }
  )
}

/** Returns the scripts and tests whose imports lead to a file, and the file itself. */
export function importersOf(file: string): ReadonlySet<string> {
  const imports = globSync('{scripts,test}/**/*.ts').flatMap(importsOf)
  const importers = new Set([file])
  // A Set also yields what is added to it meanwhile.
  for (const known of importers)
    for (const { from, to, isType } of imports) if (to === known && !isType) importers.add(from)
  return importers
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Packages of this repository: folders of the sources, name, and files by the names under which others import them. */
export const packages = manifest.workspaces.map((folder) => {
  const own = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { include } = JSON.parse(readFileSync(join(folder, 'tsconfig.package.json'), 'utf8'))
  // Packages for development only: `npm ci --omit=dev` leaves them out, and `npm pack` makes dependencies of them.
  return {
    folder,
    folders: (include as string[])
      .filter((glob) => glob.endsWith('*.ts'))
      .map((glob) => join(folder, glob.replace(/\/?\*.*/, ''))),
    name: own.name,
    exports: own.exports,
    dependencies: { ...own.dependencies, ...own.devDependencies },
    peers: own.peerDependencies ?? {}
  }
})

/** Returns the file of this repository for a package name, according to the `exports` of the package. */
function fileOf(specifier: string): string | undefined {
  for (const { folder, name, exports } of packages)
    for (const [subpath, file] of Object.entries(exports))
      if (specifier === join(name, subpath)) return join(folder, file)
  return undefined
}

/** Returns the first cycle of a graph as a path; empty without a cycle. */
export function cycleIn(
  nodes: readonly string[],
  next: (node: string) => readonly string[]
): readonly string[] {
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): readonly string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return []
    const cycle = next(node)
      .map((each) => visit(each, [...path, node]))
      .find(({ length }) => length > 0)
    done.add(node)
    return cycle ?? []
  }
  return nodes.map((node) => visit(node, [])).find(({ length }) => length > 0) ?? []
}
