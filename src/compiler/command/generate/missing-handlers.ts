/** Reports operations without a handler, with a stub for the first, and handlers without an operation. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { type Paint, shortened } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { responseTypeNames } from '../../compile/types/operation-type-names.ts'
import { fileName } from '../../source/names.ts'
import { filesIn } from './file-watcher.ts'
import {
  type HandledOperation,
  type Missing,
  readWiring,
  type Stub,
  stubComment,
  stubsFor,
  type Wiring,
  wire
} from './handler-stub.ts'

/** Writes a stub for each operation, and adds it to the wiring; returns a line for each. */
function writeStubs(missing: readonly Missing[], wiring: Wiring, folder: string): string[] {
  const wiringFile = resolve(folder, 'handlers.ts')
  const stubs = freshStubs(missing, wiring, folder)
  for (const { file, text } of stubs) {
    mkdirSync(dirname(resolve(folder, file)), { recursive: true })
    writeFileSync(resolve(folder, file), text, { flag: 'wx' })
  }
  if (stubs.length > 0) writeFileSync(wiringFile, wire(wiring, stubs))
  const [shownWiring, shownFolder] = [relative('.', wiringFile), relative('.', folder)]
  return stubs.map(
    ({ file }) =>
      `written: ${shownFolder}/${file}, and its line in ${shownWiring}; it answers 501 until you write it`
  )
}

/** Returns stubs whose files and functions have names of their own. */
function freshStubs(missing: readonly Missing[], wiring: Wiring, folder: string): Stub[] {
  const present = filesIn(folder).map((path) => relative(folder, path).replace(/\.ts$/, ''))
  const { identifiers, files } = wiring.taken
  return stubsFor(missing, { ...wiring, taken: { identifiers, files: [...files, ...present] } })
}

interface HandlerFile {
  readonly path: string
  readonly text: string
}

/** Finds the files of handlers, also those that `handlers.ts` does not name. */
function handlerFiles(folder: string): (operationId: string) => HandlerFile | undefined {
  const files = filesIn(folder).filter((path) => path.endsWith('.ts') && basename(path) !== 'handlers.ts')
  const typed = files.map((path) => {
    const text = readFileSync(path, 'utf8')
    return { path, text, ids: handledIn(text) }
  })
  return (operationId) => {
    const name = `${fileName(operationId, 'operation')}.ts`
    // Compared without case, because some file systems do not distinguish it.
    const isNamed = (path: string) => basename(path).toLowerCase() === name
    const found = typed.find(({ ids }) => ids.includes(operationId))
    return found ?? typed.find(({ path, ids }) => ids.length === 0 && isNamed(path))
  }
}

/** Returns the operationIds of functions and values of the type `Handlers['…']`. */
const handledIn = (text: string): string[] =>
  [...text.matchAll(/(?::|\bsatisfies)\s*Handlers\[(['"])(.+?)\1\]/g)].map(([, , id = '']) => id)

interface HandlerReportOptions {
  readonly paint: Paint
  /** True to write the stubs instead of printing the first. */
  readonly write?: boolean
  /** Folder of the handlers and of `handlers.ts`, which wires them. */
  readonly folder: string
}

/** Returns lines; an empty list when operations and handlers agree, or when `handlers.ts` was restructured by hand. */
export function handlerReport(
  operations: readonly HandledOperation[],
  options: HandlerReportOptions
): string[] {
  const { paint, write = false, folder } = options
  const wiringFile = resolve(folder, 'handlers.ts')
  const wiring = existsSync(wiringFile) ? readWiring(readFileSync(wiringFile, 'utf8')) : undefined
  if (wiring === undefined) return []
  const ids = operations.map(({ operationId }) => operationId)
  const fileOf = handlerFiles(folder)
  const unlisted = operations
    .filter(({ operationId }) => !wiring.names.includes(operationId))
    .map((operation) => ({ operation, file: fileOf(operation.operationId)?.path }))
  const types = responseTypeNames(ids)
  const unhandled = unlisted
    .filter(({ file }) => file === undefined)
    .map(({ operation }) => ({ operation, responseType: types.get(operation.operationId) ?? '' }))
  const surplus = wiring.names
    .filter((name) => !ids.includes(name))
    .map((name) => ({ name, file: fileOf(name) }))
  const renames = renamesIn(surplus, unhandled)
  const missing = unhandled.filter(({ operation }) => !renames.values().some((other) => other === operation))
  return [
    ...surplus.map(({ name, file }) =>
      printable(surplusText(name, [wiringFile, ...(file ? [file.path] : [])].map(shown), renames.get(name)))
    ),
    ...unlisted.flatMap(({ operation: { operationId }, file }) =>
      file === undefined ? [] : [paint('yellow', unlistedText(operationId, shown(file), shown(wiringFile)))]
    ),
    ...(write ? writeStubs(missing, wiring, folder) : printStubs(missing, wiring, { paint, folder }))
  ]
}

interface Surplus {
  readonly name: string
  readonly file: HandlerFile | undefined
}

/**
 * Returns the operations that handlers are for under an earlier name: the one that the comment of a stub names, or the
 * only one, of the only such handler.
 */
function renamesIn(
  surplus: readonly Surplus[],
  missing: readonly Missing[]
): ReadonlyMap<string, HandledOperation> {
  const isLone = surplus.length === 1 && missing.length === 1
  const pairs = surplus.flatMap(({ name, file }) => {
    const found = missing.find(({ operation }) => isLone || file?.text.startsWith(stubComment(operation)))
    return found === undefined ? [] : [[name, found.operation] as const]
  })
  return new Map(pairs)
}

function surplusText(name: string, files: readonly string[], operation: HandledOperation | undefined) {
  if (operation === undefined) return `handler ${name} is for no operation: remove it from ${files[0]}`
  const { operationId, method, path } = operation
  return `rename handler ${name} to ${operationId} (${method} ${path}) in ${files.join(' and ')}`
}

const unlistedText = (operationId: string, file: string, wiring: string): string =>
  `${file} is there and was left as it is; if it is the handler of ${printable(operationId)}, name it in ${wiring}`

const shown = (path: string): string => printable(relative('.', path))

type Target = Pick<HandlerReportOptions, 'paint' | 'folder'>

function printStubs([first, ...others]: readonly Missing[], wiring: Wiring, target: Target): string[] {
  const [stub] = first === undefined ? [] : freshStubs([first], wiring, target.folder)
  if (stub === undefined) return []
  const unprinted = shortened(others, 9, {
    item: ({ operation: { operationId } }) => printable(`operation ${operationId} has no handler`),
    rest: (count) => `… and ${count} more`
  })
  return [...printStub(stub, target), ...unprinted, 'npm run generate -- --stubs writes this for you']
}

function printStub({ operation, file, text, property }: Stub, { paint, folder }: Target): string[] {
  const { operationId, method, path } = operation
  const code = text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
  return [
    paint('yellow', printable(`operation ${operationId} has no handler (${method} ${path})`)),
    `  it goes into ${shown(resolve(folder, file))}:`,
    '',
    ...code.map((line) => paint('dim', printable(line))),
    '',
    `  and into ${shown(resolve(folder, 'handlers.ts'))}:`,
    '',
    paint('dim', printable(`    ${property}`)),
    ''
  ]
}
