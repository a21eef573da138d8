/** Which operations have no handler, where it goes, and what it could look like: told, or written. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Operation } from '../../src/contract/model/compiled-contract.ts'
import type { Paint } from '../../src/service/terminal/format.ts'
import { readWiring, type Wiring, wire } from './handler-wiring.ts'
import { type Stub, stubFor } from './stub.ts'

const folder = resolve(import.meta.dirname, '../../src/plants')
const wiringFile = resolve(folder, 'handlers.ts')

/**
 * Lines for people; none when every operation has a handler and every handler an operation.
 * @param write writes the stubs instead of printing them
 */
export function handlerReport(operations: readonly Operation[], write: boolean, paint: Paint): string[] {
  const wiring = existsSync(wiringFile) ? readWiring(readFileSync(wiringFile, 'utf8')) : undefined
  if (wiring === undefined) return []
  const ids = operations.map(({ operationId }) => operationId)
  const missing = operations.filter(({ operationId }) => !wiring.names.includes(operationId))
  const surplus = wiring.names.filter((name) => !ids.includes(name))
  return [
    ...surplus.map((name) => `handler ${name} is for no operation: remove it from ${shown(wiringFile)}`),
    ...(write ? writeStubs(missing, wiring) : printStubs(missing, wiring, paint))
  ]
}

const shown = (path: string) => relative('.', path)

function printStubs(missing: readonly Operation[], wiring: Wiring, paint: Paint): string[] {
  if (missing.length === 0) return []
  const [first] = missing
  const others = missing.slice(1).map(({ operationId }) => `operation ${operationId} has no handler`)
  const stub = first === undefined ? [] : printStub(stubFor(first, wiring.taken), paint)
  return [...stub, ...bounded(others), 'npm run generate -- --stubs writes this for you']
}

function printStub({ operation, file, text, name, key }: Stub, paint: Paint): string[] {
  const code = text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
  return [
    paint(
      'yellow',
      `operation ${operation.operationId} has no handler (${operation.method} ${operation.path})`
    ),
    `  it goes into ${shown(resolve(folder, file))}:`,
    '',
    ...code.map((line) => paint('dim', line)),
    '',
    `  and into ${shown(wiringFile)}:`,
    '',
    paint('dim', `    ${key}: ${name}()`),
    ''
  ]
}

const bounded = (lines: readonly string[]): string[] =>
  lines.length <= 10 ? [...lines] : [...lines.slice(0, 9), `… and ${lines.length - 9} more`]

/** Nothing that is there is overwritten: a file of that name is left as it is, and so is its line of the wiring. */
function writeStubs(missing: readonly Operation[], first: Wiring): string[] {
  let wiring: Wiring = first
  return missing.map((operation) => {
    const stub = stubFor(operation, wiring.taken)
    const path = resolve(folder, stub.file)
    if (existsSync(path)) {
      return `${shown(path)} is there and was left as it is; if it is the handler of ${operation.operationId}, name it in ${shown(wiringFile)}`
    }
    const text = wire(wiring, stub)
    const rewired = readWiring(text)
    if (rewired === undefined) return `${shown(wiringFile)} was left as it is`
    writeFileSync(path, stub.text, { flag: 'wx' })
    writeFileSync(wiringFile, text)
    wiring = rewired
    return `written: ${shown(path)}, and its line in ${shown(wiringFile)}; it answers 501 until you write it`
  })
}
