/** Lends the installed packages to a copy of the project. */
import { mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const installed = resolve(import.meta.dirname, '../node_modules')
/** The packages of this repository, which are links to folders of `src/`. */
const scope = '@contract-first'

/** Links the packages of npm to those of this project, and the packages of this repository to the sources of the copy. */
export function linkPackages(copy: string): void {
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, scope), { recursive: true })
  for (const name of readdirSync(installed))
    if (name !== scope) symlinkSync(join(installed, name), join(modules, name))
  for (const name of readdirSync(join(installed, scope)))
    symlinkSync(readlinkSync(join(installed, scope, name)), join(modules, scope, name))
}
