/** Lists the source files that tests load, or start as processes. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { importsOf } from './imports.ts'

const scripts: Readonly<Record<string, string>> = manifest.scripts
const comments = /^ *\/\*\*[\s\S]*?\*\/|^ *\/\/.*/gm
const typeImports = /^(?:import|export) type [^']*'[^']+'/gm
/** Module that is resolved when it is needed: `'./worker.ts'`, or `./worker${extname(…)}` in a template. */
const laterModule = /'(\.\.?\/[\w./-]+\.ts)'|`(\.\.?\/[\w./-]+)\$\{extname\(/g
/** File that a test starts or reads, by its path. */
const path = /\b(?:src|scripts)\/[\w./-]+\.(?:ts|js)\b/g
/** Command that a test starts: `npm run mock`. */
const command = /\bnpm (?:run (?:--silent )?)?([\w:]+)/g

/** Returns the files that the tests load, directly or indirectly, and those of the processes that they start. */
export function reachedBy(tests: readonly string[]): ReadonlySet<string> {
  const reached = new Set(tests)
  for (const file of reached) for (const next of nextOf(file)) reached.add(next)
  return reached
}

const known = new Map<string, readonly string[]>()

function nextOf(file: string): readonly string[] {
  const next = known.get(file) ?? read(file)
  known.set(file, next)
  return next
}

function read(file: string): readonly string[] {
  const code = readFileSync(file, 'utf8').replaceAll(comments, '').replaceAll(typeImports, '')
  const later = [...code.matchAll(laterModule)].map(([, name, stem]) =>
    join(dirname(file), name ?? `${stem}.ts`)
  )
  const started = file.startsWith('test/') ? startedBy(code) : []
  const imported = importsOf(file).filter(({ to, isType }) => !isType || !holdsCode(to))
  const all = [...imported.map(({ to }) => to), ...later, ...started]
  return all.filter((to) => /^(?:src|scripts|test)\/.*\.[jt]s$/.test(to) && existsSync(to))
}

/** Returns false for a file of types: an import of types runs no code. */
const holdsCode = (file: string): boolean =>
  !existsSync(file) ||
  /^(?:export )?(?:async )?(?:abstract )?(?:const|let|function|class)\b/m.test(readFileSync(file, 'utf8'))

/** Returns the files that a test names, and those of commands; `manifest.scripts` is every command. */
function startedBy(code: string): string[] {
  const lines = code.includes('manifest.scripts')
    ? Object.values(scripts)
    : [...code.matchAll(command)].map(([, name = '']) => scripts[name] ?? '')
  return [code, ...lines].flatMap((text) => [...text.matchAll(path)].map(([name]) => name))
}
