/** `npm run house`: prints the sizes of the packages beside those of docs/house.md, and the circles among their imports. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, matchesGlob } from 'node:path'
import { command, toOutput } from '@contract-first/cli/command'
import { cycleIn, importsOf } from '../test/imports.ts'

const usage = `usage: npm run house

  Prints lines, files and folders of each package, and the most that docs/house.md wants of them; then circles of imports.
  A report: it fails for no size.`

interface Bound {
  readonly name: string
  /** Globs of its folders and files. */
  readonly folders: readonly string[]
  readonly lines: number
  readonly files: number
}

const row = /^\| ([\w ]+) \| (`.*`) \| (\d+) \| (\d+) \|$/gm

const headings = ['lines', 'at most', 'files', 'at most', 'folders', 'longest']

/** Returns the package whose glob is the longest that holds the file. */
function boundOf(bounds: readonly Bound[], file: string): Bound | undefined {
  const lengthIn = ({ folders }: Bound) =>
    Math.max(0, ...folders.filter((glob) => holds(glob, file)).map(({ length }) => length))
  const [longest] = bounds.toSorted((a, b) => lengthIn(b) - lengthIn(a))
  return longest !== undefined && lengthIn(longest) > 0 ? longest : undefined
}

const holds = (glob: string, file: string): boolean =>
  matchesGlob(file, glob.endsWith('.ts') ? glob : `${glob}/**`) || matchesGlob(file, `${glob}.ts`)

function lineOf({ name, lines, files }: Bound, own: readonly string[]): string {
  const lengths = own.map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
  const size = sum(lengths)
  const figures = [size, lines, own.length, files, new Set(own.map(dirname)).size, Math.max(0, ...lengths)]
  const text = figures.map((figure) => String(figure).padStart(10)).join('')
  return toOutput(size > lines || own.length > files ? 'yellow' : 'green', name.padEnd(24) + text)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Returns a circle of what runs; imports of types load nothing. */
function cycleOf(files: readonly string[], nameOf: (file: string) => string): readonly string[] {
  const next = Object.groupBy(
    files.flatMap(importsOf).filter(({ to, isType }) => to.startsWith('src/') && !isType),
    ({ from }) => nameOf(from)
  )
  const others = (name: string) => (next[name] ?? []).map(({ to }) => nameOf(to)).filter((to) => to !== name)
  return cycleIn(Object.keys(next), others)
}

await command({ usage, options: {} }, async () => {
  const page = readFileSync('docs/house.md', 'utf8')
  const bounds = [...page.matchAll(row)].map(
    ([, name = '', folders = '', lines, files]): Bound => ({
      name,
      folders: [...folders.matchAll(/`([^`]+)`/g)].map(([, glob = '']) => glob),
      lines: Number(lines),
      files: Number(files)
    })
  )
  const all = globSync('{src,test}/**/*.ts')
  const packageOf = Map.groupBy(all, (file) => boundOf(bounds, file)?.name)
  console.log(`${'package'.padEnd(24)}${headings.map((heading) => heading.padStart(10)).join('')}`)
  for (const bound of bounds) console.log(lineOf(bound, packageOf.get(bound.name) ?? []))
  const src = all.filter((file) => file.startsWith('src/'))
  const total = {
    lines: sum(bounds.filter(({ name }) => name !== 'tests').map(({ lines }) => lines)),
    files: sum(bounds.filter(({ name }) => name !== 'tests').map(({ files }) => files))
  }
  console.log(lineOf({ name: 'src', folders: [], ...total }, src))
  for (const [name, nameOf] of [['files', (file: string) => file] as const, ['folders', dirname] as const]) {
    const cycle = cycleOf(src, nameOf)
    console.log(cycle.length === 0 ? `no circle of ${name}` : `circle of ${name}: ${cycle.join(' → ')}`)
  }
})
