/** The package.json of a new project. */

/** The packages of a new project besides those in `vendor/`, each at the version that this project is tested with. */
export const tools = {
  '@biomejs/biome': '2.5.15',
  '@types/node': '26.6.6',
  node: '26.10.0',
  'pino-pretty': '13.2.0',
  typescript: '5.9.3'
} as const

/** Programs in other languages that a package of the compiler depends on and that are never used: none is installed. */
export const overrides = {
  recheck: {
    'recheck-jar': 'npm:empty-npm-package@1.0.0',
    'recheck-linux-x64': 'npm:empty-npm-package@1.0.0',
    'recheck-macos-arm64': 'npm:empty-npm-package@1.0.0',
    'recheck-macos-x64': 'npm:empty-npm-package@1.0.0',
    'recheck-windows-x64': 'npm:empty-npm-package@1.0.0'
  }
} as const

/** A tarball in `vendor/`. */
export interface Tarball {
  /** Package name: `@contract-first/engine`. */
  readonly name: string
  /** Path in the project: `vendor/contract-first-engine-1.0.0.tgz`. */
  readonly path: string
}

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

interface Options {
  readonly name: string
  readonly title: string
  readonly contract: string
  readonly tarballs: readonly Tarball[]
}

/** Package that only development needs. */
const compiler = '@contract-first/compiler'

export function manifestOf({ name, title, contract, tarballs }: Options): Manifest {
  const packages = tarballs.map((tarball) => [tarball.name, `file:${tarball.path}`] as const)
  const isDevelopment = ([each]: readonly [string, string]) => each === compiler
  return {
    name,
    version: '0.1.0',
    description: title,
    private: true,
    type: 'module',
    engines: { node: '>=24 <27' },
    // The scripts need a POSIX shell.
    os: ['!win32'],
    ...settingsOf(contract),
    // npm sends SIGTERM to the shell of a script, which ends without its command: exec replaces the shell.
    scripts: {
      start: 'exec node src/main.ts',
      dev: 'exec contract dev',
      generate: 'contract generate',
      mock: 'exec contract mock',
      test: 'node --test "test/**/*.test.ts"',
      typecheck: 'tsc',
      lint: 'biome lint --error-on-warnings',
      format: 'biome check --write'
    },
    dependencies: Object.fromEntries(packages.filter((each) => !isDevelopment(each))),
    devDependencies: sorted([...packages.filter(isDevelopment), ...Object.entries(tools)]),
    allowScripts: { node: true, esbuild: true },
    overrides
  }
}

/** Returns where the contract is, if it is not at the default place, or refers to files above its folder. */
function settingsOf(file: string): { readonly contract?: object } {
  if (file === 'openapi.yaml') return {}
  const isNested = file.split('/').length > 2
  return { contract: { file, ...(isNested ? { root: 'contract' } : {}) } }
}

const sorted = (entries: readonly (readonly [string, string])[]) =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
