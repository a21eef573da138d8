/** Makes the package-lock.json of a new project from a lock file with the same packages: no registry is asked. */

/** A package in a lock file (npm Docs, package-lock.json, "packages"). */
export interface Locked {
  readonly name?: string
  readonly version?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly [member: string]: unknown
}

/** Packages by path, as `node_modules/fastify`. */
export type Packages = Readonly<Record<string, Locked>>

interface Wanted {
  /** Root entry of the new project, as in its package.json. */
  readonly root: Locked
  /** Packages of this engine by name, which the lock file links to folders. */
  readonly own: ReadonlyMap<string, Locked>
}

/** Kind of a dependency; a weaker kind is dropped when the package is also needed without it. */
interface Need {
  readonly dev: boolean
  readonly optional: boolean
}

/** The lock file does not hold a package, or holds it in another version. */
export class NotLocked extends Error {}

/**
 * Returns the lock file.
 * @throws {NotLocked} when `packages` lacks a package that the project needs
 */
export function lockFor(packages: Packages, wanted: Wanted): object {
  const found = new Walk(packages, wanted).packages()
  const sorted = Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const { name, version } = wanted.root
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': wanted.root, ...Object.fromEntries(sorted) }
  }
}

class Walk {
  readonly #packages: Packages
  readonly #wanted: Wanted
  readonly #needs = new Map<string, readonly Need[]>()

  constructor(packages: Packages, wanted: Wanted) {
    this.#packages = packages
    this.#wanted = wanted
  }

  packages(): Record<string, Locked> {
    const { root } = this.#wanted
    this.#visit(root.dependencies, '', { dev: false, optional: false })
    this.#visit(root.devDependencies, '', { dev: true, optional: false })
    return Object.fromEntries([...this.#needs].map(([place, needs]) => [place, this.#locked(place, needs)]))
  }

  #locked(place: string, needs: readonly Need[]): Locked {
    const { dev: _dev, optional: _optional, devOptional: _both, peer: _peer, ...kept } = this.#at(place)
    return { ...kept, ...flagsOf(needs) }
  }

  #at(place: string): Locked {
    return this.#wanted.own.get(nameIn(place)) ?? (this.#packages[this.#sourceOf(place)] as Locked)
  }

  /**
   * Returns the path in the given lock file: this engine's packages and what is installed below them lie in folders
   * there.
   */
  #sourceOf(place: string): string {
    for (const name of this.#wanted.own.keys()) {
      const { link, resolved } = this.#packages[`node_modules/${name}`] ?? {}
      if (link !== true || resolved === undefined) continue
      if (`${place}/`.startsWith(`node_modules/${name}/`))
        return place.replace(`node_modules/${name}`, resolved)
    }
    return place
  }

  #visit(names: Locked['dependencies'] = {}, from: string, need: Need): void {
    for (const [name, wanted] of Object.entries(names)) {
      const place = this.#find(name, from)
      if (place !== undefined && !isVersion(this.#at(place), wanted))
        throw new NotLocked(`the package ${name} is not locked as ${wanted}`)
      if (place !== undefined) this.#need(place, need)
      else if (!need.optional) throw new NotLocked(`the package ${name} is not locked`)
    }
  }

  #need(place: string, need: Need): void {
    const known = this.#needs.get(place) ?? []
    if (known.some((each) => (need.dev || !each.dev) && (need.optional || !each.optional))) return
    this.#needs.set(place, [...known, need])
    const {
      dependencies,
      optionalDependencies,
      peerDependencies = {},
      peerDependenciesMeta
    } = this.#at(place)
    this.#visit(withoutKeys(dependencies, optionalDependencies), place, need)
    this.#visit(optionalDependencies, place, { ...need, optional: true })
    const isOptional = (name: string) => peerDependenciesMeta?.[name]?.optional === true
    this.#visit(
      withoutKeys(peerDependencies, keyed(Object.keys(peerDependencies).filter(isOptional))),
      place,
      need
    )
  }

  /** Looks up a package as Node does: below the package itself, then below each package around it. */
  #find(name: string, from: string): string | undefined {
    if (this.#wanted.own.has(name)) return `node_modules/${name}`
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
      if (this.#packages[this.#sourceOf(place)] !== undefined) return place
      if (folder === '') return undefined
    }
  }
}

/** Compares exact versions only: ranges are the same as when the lock file was made. */
const isVersion = ({ version }: Locked, wanted: string): boolean =>
  !/^\d+\.\d+\.\d+$/.test(wanted) || version === wanted

const nameIn = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

const keyed = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, '']))

const withoutKeys = (names: Locked['dependencies'] = {}, others: Locked['dependencies'] = {}) =>
  Object.fromEntries(Object.entries(names).filter(([name]) => !Object.hasOwn(others, name)))

/**
 * Returns npm's flags: `dev` or `optional` when every path to the package has it, `devOptional` when each path has one
 * of them.
 */
function flagsOf(needs: readonly Need[]): object {
  if (needs.every(({ dev }) => dev))
    return { dev: true, ...(needs.every(({ optional }) => optional) ? { optional: true } : {}) }
  if (needs.every(({ optional }) => optional)) return { optional: true }
  return needs.every(({ dev, optional }) => dev || optional) ? { devOptional: true } : {}
}
