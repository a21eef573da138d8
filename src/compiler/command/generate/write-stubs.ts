/** Writes stubs of handlers and extends their wiring. */
import { readdirSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { printable } from '@contract-first/cli/printable'
import type { Operation } from '@contract-first/engine/server'
import { readWiring, type Wiring, wire } from './handler-wiring.ts'
import { stubFor } from './stub.ts'

/** Returns a line for each operation. A file that exists is neither overwritten nor added to the wiring. */
export function writeStubs(operations: readonly Operation[], first: Wiring, folder: string): string[] {
  const wiringFile = resolve(folder, 'handlers.ts')
  const [shownWiring, shownFolder] = [relative('.', wiringFile), relative('.', folder)]
  let wiring = first
  return operations.map((operation) => {
    const stub = stubFor(operation, wiring.taken)
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
