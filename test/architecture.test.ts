/** The rules of docs/architecture.md that hold the tree together, read from the imports themselves. */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'tap'
import manifest from '../package.json' with { type: 'json' }
import { type Import, importsOf, sourceFiles } from './imports.ts'

const files = sourceFiles()
const imports: readonly Import[] = files.flatMap(importsOf)

const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const isEngine = isIn('src/contract')
const isCompiler = (path: string) => isIn('src/contract/compile')(path) || path === 'src/contract/compiler.ts'
const isServer = isIn('src/contract/server')
const isDiff = (path: string) => isIn('src/contract/diff')(path) || path === 'src/contract/diff.ts'
/** Rooms and doors that are loaded at development time only. */
const isDevelopment = (path: string) =>
  isCompiler(path) || isDiff(path) || /^src\/contract\/(instances|mock|conformance)[./]/.test(path)
const compilerDoor = 'src/contract/compile/documents.ts'
const isShared = (path: string) => /^src\/contract\/(model|media-types|json|runtime)\//.test(path)
const isDoor = (path: string) => dirname(path) === 'src/contract'
const isService = isIn('src/service')
const isProcess = isIn('src/service/process')
const doors = ['server', 'errors', 'codec'].map((name) => `src/contract/${name}.ts`)
const listed = (found: readonly Import[]) => found.map(({ from, to }) => `${from} → ${to}`)

const rules: readonly { readonly rule: string; readonly breaks: (each: Import) => boolean }[] = [
  {
    rule: 'the engine imports nothing of the service, and nothing generated',
    breaks: ({ from, to }) => isEngine(from) && /^(src|generated)\//.test(to) && !isEngine(to)
  },
  {
    rule: 'server/ and compile/ never import each other, types included',
    breaks: ({ from, to }) => (isServer(from) && isCompiler(to)) || (isCompiler(from) && isServer(to))
  },
  {
    rule: 'the rooms that both halves share import neither half',
    breaks: ({ from, to }) => isShared(from) && isEngine(to) && !isShared(to)
  },
  {
    rule: 'no room of the engine imports a door',
    breaks: ({ from, to }) => isEngine(from) && dirname(to) === 'src/contract' && !isDoor(from)
  },
  {
    rule: 'the comparison of contracts imports the compiler by its door alone, and neither the server nor the reverse',
    breaks: ({ from, to }) =>
      (isDiff(from) && ((isCompiler(to) && to !== compilerDoor) || isServer(to))) ||
      (isDiff(to) && isEngine(from) && !isDiff(from))
  },
  {
    rule: 'nothing that runs imports the compiler, nor another room of development',
    breaks: ({ from, to, isType }) => isDevelopment(to) && !isDevelopment(from) && !isType
  },
  {
    rule: 'nothing that runs needs a development dependency; pino-pretty is asked for and may be missing',
    breaks: ({ from, to, isType }) =>
      to in manifest.devDependencies && !isDevelopment(from) && !isType && to !== 'pino-pretty'
  },
  {
    rule: 'the adapters of the store do not know each other, nor HTTP',
    breaks: ({ from, to }) =>
      (/^src\/store\/sqlite/.test(from) && /^src\/store\/postgres/.test(to)) ||
      (/^src\/store\/postgres/.test(from) && /^src\/store\/sqlite/.test(to)) ||
      (isIn('src/store')(from) && /^(fastify|node:http)|^src\/(?!store\/)/.test(to))
  },
  {
    rule: 'the service imports itself and the doors of the engine: no plants, no store, nothing generated',
    breaks: ({ from, to }) =>
      isService(from) && /^(src|generated)\//.test(to) && !isService(to) && !doors.includes(to)
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
    breaks: ({ from, to }) => isService(to) && !isService(from) && to !== 'src/service/service.ts'
  },
  {
    rule: 'only the room of the process starts a service',
    breaks: ({ from, to, isType }) => to === 'src/service/run.ts' && !isProcess(from) && !isType
  }
]

for (const { rule, breaks } of rules) {
  test(rule, async (t) => {
    t.ok(imports.length > 200)
    t.strictSame(listed(imports.filter(breaks)), [])
  })
}

/** Returns the first cycle of a graph as a path, or nothing. */
function cycleIn(nodes: readonly string[], next: (node: string) => readonly string[]): readonly string[] {
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

test('no import is part of a cycle', async (t) => {
  const next = (path: string) =>
    imports.filter(({ from, isType }) => from === path && !isType).map(({ to }) => to)
  t.ok(files.length > 150)
  t.strictSame(cycleIn(files, next), [])
})

/** The folder of a file: server/body, model; the files directly below server/ and compile/ compose the rooms. */
const roomOf = (path: string) => dirname(path)

test('there is no cycle between the rooms of the engine, types included', async (t) => {
  const within = imports.filter(({ from, to }) => isEngine(from) && isEngine(to))
  const rooms = new Map<string, Set<string>>()
  for (const { from, to } of within)
    if (roomOf(from) !== roomOf(to))
      rooms.set(roomOf(from), (rooms.get(roomOf(from)) ?? new Set()).add(roomOf(to)))
  t.ok(rooms.size > 15)
  const next = (room: string) => [...(rooms.get(room) ?? [])]
  t.same(cycleIn([...rooms.keys()], next), [])
})

test('scripts and benchmarks import the engine by its doors', async (t) => {
  const outside = ['scripts', 'bench'].flatMap((folder) => sourceFiles(folder)).flatMap(importsOf)
  t.ok(outside.length > 100)
  // bench/engine.ts measures single steps of a request, so it may import rooms, as tests may.
  const past = outside.filter(({ from, to }) => isEngine(to) && !isDoor(to) && from !== 'bench/engine.ts')
  t.strictSame(listed(past), [])
})

test('only main.ts and the room of the process touch the process, and a thread its own', async (t) => {
  const touches = files.filter((file) =>
    /\bprocess\.(?!version)\w/.test(readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
  )
  t.strictSame(
    touches.filter((file) => file !== 'src/main.ts' && !isProcess(file)),
    []
  )
})
