/**
 * Reports saved files, however the editor saves: write in place, rename over, remove and create. Events of the
 * operating system only start a scan; the scan finds the changes. chokidar reports the events of one path at a time, so
 * that bursts and missing files would still be handled here, and it computes no digests.
 */

import { createHash } from 'node:crypto'
import { existsSync, type FSWatcher, readdirSync, readFileSync, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'

/** Remembers the content of files by its digest: a save of the same text is not a change. */
interface Known {
  readonly stat: string
  readonly digest: string
}

/** Digest of a missing or empty file: editors remove or empty a file for a moment while they save. */
const gone = ''

export class Snapshot {
  readonly #known = new Map<string, Known>()

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

/** A burst of events ends after `quietMs` without an event, at the latest after `maxBurstMs`. */
const quietMs = 15
const maxBurstMs = 150
/** Interval of scans without an event: network and container file systems send none. */
const scanIntervalMs = 1_000
/** A file that is missing or empty for longer was removed or emptied on purpose. */
const maxMissingMs = 150

export class FileWatcher {
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()
  readonly #watchers = new Map<string, FSWatcher | undefined>()
  readonly #snapshot = new Snapshot()
  readonly #interval = setInterval(() => this.#scan(), scanIntervalMs)
  #changed = new Set<string>()
  #waiting: PromiseWithResolvers<ReadonlySet<string>> | undefined
  #timer: NodeJS.Timeout | undefined
  #burst = 0

  /** @param path path of a file, which may not exist yet */
  watch(path: string): void {
    if (this.#files.has(path)) return
    this.#files.add(path)
    this.#snapshot.learn([path])
    this.#listen(existingFolder(path), false)
  }

  /** Watches every file in the folder, at any depth. */
  watchFolder(path: string): void {
    this.#folders.add(path)
    this.#snapshot.learn(filesIn(path))
    this.#listen(path, true)
  }

  /** Returns the files that have changed since the last call, as soon as there are any. */
  async next(): Promise<ReadonlySet<string>> {
    this.#waiting ??= Promise.withResolvers()
    const { promise } = this.#waiting
    this.#deliver()
    return promise
  }

  /** Looks at the files at once: true when `next` returns, or has returned, a change that it did not wait for. */
  hasChanged(): boolean {
    this.#scan()
    return this.#waiting === undefined || this.#changed.size > 0
  }

  close(): void {
    clearInterval(this.#interval)
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher?.close()
  }

  #listen(folder: string, recursive: boolean): void {
    if (this.#watchers.has(folder)) return
    try {
      const watcher = watch(folder, { recursive }, () => this.#soon())
      watcher.on('error', watcher.close)
      this.#watchers.set(folder, watcher)
    } catch {
      this.#watchers.set(folder, undefined) // The system has no watches left: the interval still scans.
    }
  }

  #soon(): void {
    const now = performance.now()
    if (this.#timer === undefined) this.#burst = now
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => this.#scan(),
      Math.min(quietMs, Math.max(0, this.#burst + maxBurstMs - now))
    )
  }

  #scan(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const files = [...this.#files, ...[...this.#folders].flatMap(filesIn)]
    for (const path of this.#snapshot.changed(files)) this.#changed.add(path)
    const missing = [...this.#changed].some((path) => this.#snapshot.isGone(path))
    if (missing) setTimeout(() => this.#deliver(), maxMissingMs)
    else this.#deliver()
  }

  #deliver(): void {
    if (this.#waiting === undefined || this.#changed.size === 0) return
    this.#waiting.resolve(this.#changed)
    this.#waiting = undefined
    this.#changed = new Set()
  }
}

function existingFolder(path: string): string {
  let folder = dirname(path)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}
