/** Remembers the content of files by its digest: a save of the same text is not a change. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

interface Known {
  readonly stat: string
  readonly digest: string
}

/** Digest of a missing or empty file: editors remove or empty a file for a moment while they save. */
const gone = ''

export class Snapshot {
  readonly #known = new Map<string, Known>()

  /** Remembers the current content of these files. */
  learn(files: Iterable<string>): void {
    for (const path of files) this.#isNew(path)
  }

  /** @returns those of these files that have changed, and the known ones that are missing */
  changed(files: Iterable<string>): string[] {
    return [...new Set([...files, ...this.#known.keys()])].filter((path) => this.#isNew(path))
  }

  isGone(path: string): boolean {
    return this.#known.get(path)?.digest === gone
  }

  #isNew(path: string): boolean {
    const before = this.#known.get(path)
    const now = read(path, before)
    this.#known.set(path, now)
    return (before?.digest ?? gone) !== now.digest
  }
}

/** Reads the file only when its metadata has changed. */
function read(path: string, before: Known | undefined): Known {
  try {
    const found = statSync(path)
    // Reading a named pipe or a device may never end.
    if (!found.isFile()) return { stat: gone, digest: gone }
    const { mtimeMs, size, ino, ctimeMs } = found
    const stat = [mtimeMs, ctimeMs, size, ino].join()
    return stat === before?.stat ? before : { stat, digest: digest(readFileSync(path)) }
  } catch {
    return { stat: gone, digest: gone }
  }
}

function digest(bytes: Buffer): string {
  return bytes.length === 0 ? gone : createHash('sha256').update(bytes).digest('base64')
}

export function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}
