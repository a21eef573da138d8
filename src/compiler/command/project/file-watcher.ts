/**
 * Reports saved files, however the editor saves: write in place, rename over, remove and create. Events of the
 * operating system only start a scan; the scan finds the changes. chokidar reports the events of one path at a time, so
 * that bursts and missing files would still be handled here, and it computes no digests.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import { filesIn, Snapshot } from './snapshot.ts'

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
