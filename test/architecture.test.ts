/** The rules of docs/architecture.md that hold the tree together, read from the imports themselves. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import manifest from '../package.json' with { type: 'json' }

interface Import {
  readonly from: string
  /** A path of this project, or the name of a package. */
  readonly to: string
  readonly isType: boolean
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => join('src', name))

const imports: readonly Import[] = files.flatMap((from) =>
  [
    ...readFileSync(from, 'utf8').matchAll(
      /^(?:import|export) (type )?[^']*?from '([^']+)'|\bimport\('([^']+)'\)/gm
    )
  ].map(([, type, name, lazy]) => {
    const target = name ?? lazy ?? ''
    return {
      from,
      to: target.startsWith('.') ? join(dirname(from), target) : target,
      isType: type !== undefined
    }
  })
)

const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const isEngine = isIn('src/contract')
const isCompiler = isIn('src/contract/compile')
const isService = isIn('src/service')
const doors = ['server', 'errors', 'codec'].map((name) => `src/contract/${name}.ts`)
const told = (found: readonly Import[]) => found.map(({ from, to }) => `${from} → ${to}`)

const rules: readonly { readonly rule: string; readonly breaks: (each: Import) => boolean }[] = [
  {
    rule: 'the engine imports nothing of the service, and nothing generated',
    breaks: ({ from, to }) => isEngine(from) && /^(src|generated)\//.test(to) && !isEngine(to)
  },
  {
    rule: 'nothing that runs imports the compiler',
    breaks: ({ from, to, isType }) => isCompiler(to) && !isCompiler(from) && !isType
  },
  {
    rule: 'nothing that runs needs a development dependency; pino-pretty is asked for and may be missing',
    breaks: ({ from, to, isType }) =>
      to in manifest.devDependencies && !isCompiler(from) && !isType && to !== 'pino-pretty'
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
    rule: 'main.ts is imported by no file, app.ts and service/run.ts by main.ts alone',
    breaks: ({ from, to }) =>
      to === 'src/main.ts' || (/^src\/(app|service\/run)\.ts$/.test(to) && from !== 'src/main.ts')
  }
]

for (const { rule, breaks } of rules) {
  test(rule, async (t) => {
    t.ok(imports.length > 200)
    t.strictSame(told(imports.filter(breaks)), [])
  })
}

test('there is no cycle', async (t) => {
  const next = (path: string) =>
    imports.filter(({ from, isType }) => from === path && !isType).map(({ to }) => to)
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): readonly string[] => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    if (done.has(path)) return []
    const cycle = next(path)
      .map((each) => visit(each, [...way, path]))
      .find(({ length }) => length > 0)
    done.add(path)
    return cycle ?? []
  }
  for (const file of files) t.strictSame(visit(file, []), [])
})

test('the rooms of the service form no circle, type imports included', async (t) => {
  const roomOf = (path: string) => /^src\/service\/(?:(\w+)\/)?/.exec(path)?.[1] ?? '.'
  const isBetween = ({ from, to }: Import) => isService(from) && isService(to) && roomOf(from) !== roomOf(to)
  let edges = imports.filter(isBetween).map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }))
  // Removes the rooms that import no other, again and again; a circle remains.
  for (let before = Number.POSITIVE_INFINITY; edges.length < before; ) {
    before = edges.length
    const importing = new Set(edges.map(({ from }) => from))
    edges = edges.filter(({ to }) => importing.has(to))
  }
  t.strictSame(edges, [])
})

test('main.ts and app.ts are the only files at the top of src', async (t) => {
  const top = files.filter((file) => dirname(file) === 'src')
  t.strictSame(top.sort(), ['src/app.ts', 'src/main.ts'])
})

test('neither the engine nor the service names a plant', async (t) => {
  const naming = files.filter(
    (file) => /^src\/(contract|service)\//.test(file) && /plant/i.test(readFileSync(file, 'utf8'))
  )
  t.strictSame(naming, [])
})

test('only main.ts touches the process, and a thread its own', async (t) => {
  const touches = files.filter((file) =>
    /\bprocess\.(?!version)\w/.test(readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
  )
  t.strictSame(
    touches.filter((file) => file !== 'src/main.ts'),
    []
  )
})
