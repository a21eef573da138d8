/** Reads the imports of this project's source files, type imports included. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Import {
  readonly from: string
  /** A path of this project, or the name of a package. */
  readonly to: string
  readonly isType: boolean
}

/** Lists the TypeScript files below a folder, declarations excepted. */
export function sourceFiles(folder = 'src'): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name))
}

export function importsOf(from: string): Import[] {
  const statements = /^(?:import|export) (type )?[^']*?from '([^']+)'|\bimport\('([^']+)'\)/gm
  return [...readFileSync(from, 'utf8').matchAll(statements)].map(([, type, name, lazy]) => {
    const target = name ?? lazy ?? ''
    return {
      from,
      to: target.startsWith('.') ? join(dirname(from), target) : target,
      isType: type !== undefined
    }
  })
}
