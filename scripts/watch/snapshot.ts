/** What a file holds, told apart by its text and not by its times: a save that changes nothing is no change. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

interface Known {
  readonly stat: string
  readonly digest: string
}

/** Stands for a file that is not there, or has just been emptied: editors do either for a moment while they save. */
const gone = ''

export class Snapshot {
  readonly #known = new Map<string, Known>()

  /** From here on: what these files hold now is known. */
  learn(files: Iterable<string>): void {
    for (const path of files) this.#isNew(path)
  }

  /** @returns the files among these that differ from what is known of them, and those that were known and are not among these */
  changed(files: Iterable<string>): string[] {
    return [...new Set([...files, ...this.#known.keys()])].filter((path) => this.#isNew(path))
  }

  isGone(path: string): boolean {
    return this.#known.get(path)?.digest === gone
  }

  #isNew(path: string): boolean {
    const before = this.#known.get(path)
    const now = look(path, before)
    this.#known.set(path, now)
    return (before?.digest ?? gone) !== now.digest
  }
}

function look(path: string, before: Known | undefined): Known {
  try {
    const { mtimeMs, size, ino, ctimeMs } = statSync(path)
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
