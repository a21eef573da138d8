/** Lends the installed packages to a copy of the project. */
import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const installed = resolve(import.meta.dirname, '../node_modules')
/** Scope of the packages of this repository, which are links to folders of `src/`. */
const scope = '@contract-first'
const caches = '.cache'
/** Entries that each folder has for itself; compiled packages are those of its sources. */
const own = new Set([scope, caches, 'packages'])

/** Links packages and caches to those of this project, and the packages of this repository to the sources of the copy. */
export function linkPackages(copy: string): void {
  const modules = join(copy, 'node_modules')
  for (const folder of ['.', caches]) linkEntries(join(installed, folder), join(modules, folder))
  mkdirSync(join(modules, scope))
  for (const name of readdirSync(join(installed, scope)))
    symlinkSync(readlinkSync(join(installed, scope, name)), join(modules, scope, name))
}

function linkEntries(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  if (!existsSync(from)) return
  for (const name of readdirSync(from)) if (!own.has(name)) symlinkSync(join(from, name), join(to, name))
}
