/** A project that `npm run new` has made: its sizes on disk, and its security. */
import { execFile } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Returns the disk space of a folder. */
export async function megabytes(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-sm', folder])
  return Number.parseInt(stdout, 10)
}

/** Counts the files that are neither generated nor part of a package. */
export async function ownFiles(folder: string): Promise<{ count: number; kilobytes: number }> {
  const all = await readdir(folder, { recursive: true })
  const own = all.filter((file) => !/^(node_modules|vendor|generated)\b/.test(file))
  const stats = await Promise.all(own.map((file) => stat(join(folder, file))))
  const files = stats.filter((each) => each.isFile())
  return { count: files.length, kilobytes: Math.round(files.reduce((sum, { size }) => sum + size, 0) / 1024) }
}

/** Writes the handler of a bearer scheme, and its credential for the test, as a person would. */
export async function writeSecurity(made: string, scheme: string): Promise<void> {
  for (const [file, before, after] of [
    ['src/security.ts', '() => undefined', "(token) => (token === 'right' ? { id: 'ada' } : undefined)"],
    [
      'test/fixtures.ts',
      'Credentials<SecurityHandlers> = {}',
      `Credentials<SecurityHandlers> = { ${scheme}: 'right' }`
    ]
  ] as const) {
    const path = join(made, file)
    await writeFile(path, (await readFile(path, 'utf8')).replace(before, after))
  }
}
