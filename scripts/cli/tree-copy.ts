/** Copies this project into a temporary folder, where tests run on other code or on another Node. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { linkPackages } from '../../test/link-packages.ts'

const project = resolve(import.meta.dirname, '../..')
/** Packages, which are linked, and the output of tests and commands. */
const notCopied = new Set(['.git', '.tap', 'coverage', 'data', 'node_modules', 'packages', 'test-results'])

/** Calls the function with a copy, and removes the copy. */
export async function inTreeCopy(use: (tree: string) => Promise<void>): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'tree-'))
  try {
    copyInto(tree)
    await use(tree)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

function copyInto(tree: string): void {
  const names = readdirSync(project).filter((name) => !notCopied.has(name))
  for (const name of names) cpSync(join(project, name), join(tree, name), { recursive: true })
  // Some tests copy the files that Git lists.
  execFileSync('git', ['init', '--quiet'], { cwd: tree })
  linkPackages(tree)
}
