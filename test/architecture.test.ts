/** The rules of docs/architecture.md, checked on the imports. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import manifest from '../package.json' with { type: 'json' }
import { cycleIn, type Import, importsOf, packages, sourceFiles } from './imports.ts'

const files = sourceFiles()
const imports: readonly Import[] = files.flatMap(importsOf)

const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const isEngine = isIn('src/engine')
const isContract = isIn('src/contract')
const isTools = isIn('src/tools')
const isCompiler = (path: string) => isIn('src/compiler')(path) || isTools(path)
const isService = isIn('src/service')
const isCli = isIn('src/cli')
const isCompile = isIn('src/compiler/compile')
const isDiff = isIn('src/tools/diff')
/** Recognises what compiler and engine share, doors included. */
const isShared = (path: string) => /^src\/engine\/(model|media-types|json|runtime)[/.]/.test(path)
/** Recognises files directly below the folder of the engine, of the contract or of the compiler. */
const isDoor = (path: string) => ['src/engine', 'src/contract', 'src/compiler'].includes(dirname(path))
const isConformance = isIn('src/tools/conformance')
const isSamples = isIn('src/tools/samples')
/** Recognises commands, which may import the same of the compiler as other users. */
const isCommand = (path: string) => /^src\/(compiler|tools\/\w+)\/command\//.test(path)
/** Recognises commands that serve a contract, and texts of projects: the others load no log, no tokens and no docs page. */
const startsService = (path: string) =>
  /^src\/(compiler\/command\/dev\/|tools\/mock\/command\/mock-session)/.test(path)
const packageOf = (path: string) =>
  packages.find(({ folders }) => folders.some((folder) => isIn(folder)(path)))
/** Files that the packages export. */
const exported = new Set(
  packages.flatMap(({ folder, exports }) => Object.values(exports).map((file) => join(folder, file)))
)
/** Other tools that each tool imports. */
const usedTools: Readonly<Record<string, readonly string[]>> = {
  samples: [],
  diff: ['samples'],
  conformance: ['samples'],
  mock: ['samples', 'conformance'],
  new: ['samples', 'conformance', 'mock']
}
const toolOf = (path: string) => /^src\/tools\/(\w+)\//.exec(path)?.[1] ?? ''
const doors = ['server', 'errors', 'codec', 'tracing'].map((name) => `src/engine/${name}.ts`)
const listed = (found: readonly Import[]) => found.map(({ from, to }) => `${from} → ${to}`)

const rules: readonly { readonly rule: string; readonly breaks: (each: Import) => boolean }[] = [
  {
    rule: 'a package is imported by its name, and a file of the same package by its path',
    breaks: ({ from, to, isNamed }) =>
      isIn('src')(to) && packageOf(to) !== undefined && isNamed !== (packageOf(from) !== packageOf(to))
  },
  {
    rule: 'a package is imported by the doors that its exports list',
    breaks: ({ to }) => to.startsWith('@contract-first/')
  },
  {
    rule: 'the engine imports nothing of the other packages, and nothing generated',
    breaks: ({ from, to }) => isEngine(from) && /^(src|generated)\//.test(to) && !isEngine(to)
  },
  {
    rule: 'what stands at a terminal imports itself and Node',
    breaks: ({ from, to }) => isCli(from) && !isCli(to) && !to.startsWith('node:')
  },
  {
    rule: 'the reader of contracts imports of the engine what it shares with the compiler, and nothing else of the packages',
    breaks: ({ from, to }) =>
      isContract(from) && /^(src|generated)\//.test(to) && !isContract(to) && !isShared(to)
  },
  {
    rule: 'the compiler imports the reader of contracts and the engine: no product, and nothing generated; commands and the check of servers also import the terminal',
    breaks: ({ from, to }) =>
      isCompiler(from) &&
      /^(src|generated)\//.test(to) &&
      !isCompiler(to) &&
      !isContract(to) &&
      !isEngine(to) &&
      !(isCommand(from) && (isCli(to) || startsService(from))) &&
      !(isConformance(from) && isCli(to))
  },
  {
    rule: 'compile/ imports of the engine what both halves share, types included, and what it bundles for clients',
    breaks: ({ from, to }) =>
      isCompile(from) && isEngine(to) && !isShared(to) && to !== 'src/engine/client-features.ts'
  },
  {
    rule: 'the rooms that both halves share import neither half',
    breaks: ({ from, to }) => isShared(from) && isEngine(to) && !isShared(to)
  },
  {
    rule: 'no room imports a door of its own package, but the commands those of the compiler',
    breaks: ({ from, to }) =>
      isDoor(to) && packageOf(from) === packageOf(to) && !isDoor(from) && !isCommand(from)
  },
  {
    rule: 'the comparison of contracts imports neither compile/ nor the server, nor the reverse',
    breaks: ({ from, to }) =>
      (isDiff(from) && (isCompile(to) || (isEngine(to) && !isShared(to)))) ||
      (isDiff(to) && (isEngine(from) || isCompiler(from)) && !isDiff(from) && !exported.has(from))
  },
  {
    rule: 'of the tools, compile/ imports the samples; the rest of the compiler imports them by what it exports',
    breaks: ({ from, to }) =>
      isTools(to) && !isTools(from) && !exported.has(from) && !(isCompile(from) && isSamples(to))
  },
  {
    rule: 'a tool imports samples or what it extends; of the compiler compile/ and source/, its command also other commands',
    breaks: ({ from, to }) =>
      isTools(from) &&
      ((isTools(to) && toolOf(to) !== toolOf(from) && !usedTools[toolOf(from)]?.includes(toolOf(to))) ||
        (isIn('src/compiler/command')(to) && !isCommand(from)))
  },
  {
    rule: 'nothing that runs imports the compiler, or the reader of contracts',
    breaks: ({ from, to, isType }) =>
      (isCompiler(to) || isContract(to)) && !isCompiler(from) && !isContract(from) && !isType
  },
  {
    rule: 'nothing that runs needs a development dependency; pino-pretty is asked for and may be missing',
    breaks: ({ from, to, isType }) =>
      to in manifest.devDependencies &&
      !isCompiler(from) &&
      !isContract(from) &&
      !isType &&
      to !== 'pino-pretty'
  },
  {
    rule: 'the adapters of the store do not know each other, nor HTTP',
    breaks: ({ from, to }) =>
      (/^src\/store\/sqlite/.test(from) && /^src\/store\/postgres/.test(to)) ||
      (/^src\/store\/postgres/.test(from) && /^src\/store\/sqlite/.test(to)) ||
      (isIn('src/store')(from) && /^(fastify|node:http)|^src\/(?!store\/)/.test(to))
  },
  {
    rule: 'the service imports itself, the terminal and the doors of the engine: no plants, no store, nothing generated',
    breaks: ({ from, to }) =>
      isService(from) && /^(src|generated)\//.test(to) && !isService(to) && !isCli(to) && !doors.includes(to)
  },
  {
    rule: 'the plants import the store and the doors of the engine, not the service',
    breaks: ({ from, to }) =>
      isIn('src/plants')(from) && isIn('src')(to) && !/^src\/(plants|store)\//.test(to) && !doors.includes(to)
  },
  {
    rule: 'main.ts is imported by no file, app.ts by main.ts alone',
    breaks: ({ from, to }) => to === 'src/main.ts' || (to === 'src/app.ts' && from !== 'src/main.ts')
  },
  {
    rule: 'the product imports the service by its door',
    breaks: ({ from, to }) =>
      isService(to) && !isService(from) && !isCompiler(from) && to !== 'src/service/service.ts'
  },
  {
    rule: 'only serve.ts starts a service',
    breaks: ({ from, to, isType }) =>
      to === 'src/service/run.ts' && from !== 'src/service/serve.ts' && !isType
  }
]

for (const { rule, breaks } of rules) {
  test(rule, async (t) => {
    t.ok(imports.length > 200)
    t.strictSame(listed(imports.filter(breaks)), [])
  })
}

test('the tests of the engine import no product: its contract may be edited', async (t) => {
  const found = sourceFiles('test/engine').flatMap(importsOf)
  t.ok(found.length > 200)
  t.strictSame(listed(found.filter(({ to }) => /^generated\/|^src\/(plants|app\.ts|main\.ts)/.test(to))), [])
})

test('no plant is named below the product', async (t) => {
  const below = files.filter((file) =>
    [isEngine, isCli, isContract, isCompiler, isService].some((is) => is(file))
  )
  t.ok(below.length > 300)
  t.strictSame(
    below.filter((file) => /plant/i.test(readFileSync(file, 'utf8'))),
    []
  )
})

test('no import is part of a cycle of files, types included', async (t) => {
  const next = Map.groupBy(imports, ({ from }) => from)
  t.ok(files.length > 150)
  t.strictSame(
    cycleIn(files, (path) => (next.get(path) ?? []).map(({ to }) => to)),
    []
  )
})

test('a cycle is found, wherever it begins', async (t) => {
  const graph: Readonly<Record<string, readonly string[]>> = {
    a: ['b', 'd'],
    b: ['c'],
    c: [],
    d: ['e'],
    e: ['d']
  }
  t.strictSame(
    cycleIn(Object.keys(graph), (node) => graph[node] ?? []),
    ['d', 'e', 'd']
  )
})

/**
 * Returns the folder of a file: server/body, model; the files directly below server/ and compile/ connect these
 * folders.
 */
const roomOf = (path: string) => dirname(path)

function cycleOfRooms(within: readonly Import[]): readonly string[] {
  const rooms = new Map<string, Set<string>>()
  for (const { from, to } of within)
    if (roomOf(from) !== roomOf(to))
      rooms.set(roomOf(from), (rooms.get(roomOf(from)) ?? new Set()).add(roomOf(to)))
  return cycleIn([...rooms.keys()], (room) => [...(rooms.get(room) ?? [])])
}

test('there is no cycle between the rooms of engine, model and compiler, types included', async (t) => {
  const isInside = (path: string) => isEngine(path) || isContract(path) || isCompiler(path)
  const within = imports.filter(({ from, to }) => isInside(from) && isInside(to))
  t.ok(within.length > 500)
  t.strictSame(cycleOfRooms(within), [])
})

test('there is no cycle between the rooms of the service when it runs', async (t) => {
  const within = imports.filter(({ from, to, isType }) => isService(from) && isService(to) && !isType)
  t.ok(within.length > 50)
  t.strictSame(cycleOfRooms(within), [])
})

for (const { name, folder, exports } of packages) {
  test(`${name} exports what others import or its README names, file by file`, async (t) => {
    const readme = readFileSync(`${folder}/README.md`, 'utf8')
    const named = new Set(
      ['src', 'scripts'].flatMap((root) => sourceFiles(root).flatMap(importsOf)).map(({ to }) => to)
    )
    const doors = Object.entries(exports).filter(([, file]) => file.endsWith('.ts'))
    t.ok(doors.length > 0)
    for (const [path, file] of doors) {
      t.notMatch(path, '*')
      t.ok(named.has(join(folder, file)) || readme.includes(join(name, path)), path)
    }
  })
}

test('the packages have one version', async (t) => {
  for (const { folder } of packages)
    t.equal(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version, manifest.version, folder)
})

test('scripts and benchmarks import packages by their names', async (t) => {
  const outside = ['scripts', 'bench'].flatMap((folder) => sourceFiles(folder)).flatMap(importsOf)
  t.ok(outside.length > 100)
  const byPath = outside.filter(({ to, isNamed }) => packageOf(to) !== undefined && !isNamed)
  t.strictSame(
    byPath.map(({ from }) => from),
    []
  )
})

/** Returns the name of a package without the path in it. */
const packageName = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''

for (const { name, folders, dependencies, peers } of packages) {
  test(`${name} lists the packages that it imports`, async (t) => {
    const imported = imports
      .filter(({ from }) => folders.some((folder) => isIn(folder)(from)))
      .map(({ to }) => packageOf(to)?.name ?? packageName(to))
      .filter((to) => to !== name && !to.startsWith('node:') && to !== 'pino-pretty')
    t.strictSame(Object.keys({ ...dependencies, ...peers }).sort(), [...new Set(imported)].sort())
    for (const [peer, range] of Object.entries(peers))
      t.match(manifest.dependencies, { [peer]: new RegExp(`^${range.slice(1)}\\.`) }, `${peer} ${range}`)
    t.strictSame(
      ['fastify', 'pino'].filter((shared) => shared in dependencies),
      [],
      'an application has one of each'
    )
  })
}

test('only main.ts, process.ts, what starts a service, and commands touch the process, and a thread its own', async (t) => {
  const touches = files.filter((file) =>
    /\bprocess\.(?!version)\w/.test(readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
  )
  t.strictSame(
    touches.filter(
      (file) =>
        !isCommand(file) &&
        !/^src\/(main\.ts|process\.ts|cli\/command\.ts|service\/(run-main|serve)\.ts)$/.test(file)
    ),
    []
  )
})
