/** Reports operations without a handler, with a stub for the first, and handlers without an operation. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type Paint, shortened } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import type { Operation } from '@contract-first/engine/server'
import { readWiring, type Stub, stubFor, type Wiring, wire } from './handler-stub.ts'

/** Returns a line for each operation. A file that exists is neither overwritten nor added to the wiring. */
function writeStubs(operations: readonly Operation[], first: Wiring, folder: string): string[] {
  const wiringFile = resolve(folder, 'handlers.ts')
  const [shownWiring, shownFolder] = [relative('.', wiringFile), relative('.', folder)]
  let wiring = first
  return operations.map((operation) => {
    const stub = stubFor(operation, wiring.taken, wiring.passed)
    const [path, shown] = [resolve(folder, stub.file), `${shownFolder}/${stub.file}`]
    if (isThere(folder, stub.file)) {
      const remedy = `if it is the handler of ${printable(operation.operationId)}, name it in ${shownWiring}`
      return `${shown} is there and was left as it is; ${remedy}`
    }
    const text = wire(wiring, stub)
    writeFileSync(path, stub.text, { flag: 'wx' })
    writeFileSync(wiringFile, text)
    wiring = { ...wiring, ...readWiring(text) }
    return `written: ${shown}, and its line in ${shownWiring}; it answers 501 until you write it`
  })
}

/** Compares without case, because some file systems do not distinguish it. */
const isThere = (folder: string, file: string): boolean =>
  readdirSync(folder).some((name) => name.toLowerCase() === file)

interface HandlerReportOptions {
  readonly paint: Paint
  /** True to write the stubs instead of printing the first. */
  readonly write?: boolean
  /** Folder of the handlers and of `handlers.ts`, which wires them. */
  readonly folder: string
}

/** Returns lines; an empty list when operations and handlers agree, or when `handlers.ts` was restructured by hand. */
export function handlerReport(operations: readonly Operation[], options: HandlerReportOptions): string[] {
  const { paint, write = false, folder } = options
  const wiringFile = resolve(folder, 'handlers.ts')
  const wiring = existsSync(wiringFile) ? readWiring(readFileSync(wiringFile, 'utf8')) : undefined
  if (wiring === undefined) return []
  const ids = operations.map(({ operationId }) => operationId)
  const missing = operations.filter(({ operationId }) => !wiring.names.includes(operationId))
  const surplus = wiring.names.filter((name) => !ids.includes(name))
  return [
    ...surplus.map((name) =>
      printable(`handler ${name} is for no operation: remove it from ${shown(wiringFile)}`)
    ),
    ...(write ? writeStubs(missing, wiring, folder) : printStubs(missing, wiring, { paint, folder }))
  ]
}

const shown = (path: string): string => printable(relative('.', path))

type Target = Pick<HandlerReportOptions, 'paint' | 'folder'>

function printStubs(
  [first, ...others]: readonly Operation[],
  { taken, passed }: Wiring,
  target: Target
): string[] {
  if (first === undefined) return []
  const unprinted = shortened(others, 9, {
    item: ({ operationId }) => printable(`operation ${operationId} has no handler`),
    rest: (count) => `… and ${count} more`
  })
  return [
    ...printStub(stubFor(first, taken, passed), target),
    ...unprinted,
    'npm run generate -- --stubs writes this for you'
  ]
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
