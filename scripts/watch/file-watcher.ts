/**
 * Tells which files were saved, whatever the editor does to save them: write in place, rename over, remove and create.
 * The events of the operating system say only when to look; what changed is found by looking.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import { filesIn, Snapshot } from './snapshot.ts'

/** Milliseconds of quiet after which a burst of events is over, and the longest that one may last. */
const quiet = 15
const longest = 150
/** Milliseconds between looks where no event comes: network and container file systems send none. */
const lookEvery = 1_000
/** Milliseconds for which a file may be missing or empty before that is taken for its author's will. */
const patience = 150

export class FileWatcher {
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()
  readonly #watchers = new Map<string, FSWatcher | undefined>()
  readonly #snapshot = new Snapshot()
  readonly #interval = setInterval(() => this.#look(), lookEvery)
  #changed = new Set<string>()
  #waiting: PromiseWithResolvers<ReadonlySet<string>> | undefined
  #timer: NodeJS.Timeout | undefined
  #burst = 0

  /** @param path a file, which need not be there yet */
  watch(path: string): void {
    if (this.#files.has(path)) return
    this.#files.add(path)
    this.#snapshot.learn([path])
    this.#listen(existingFolder(path), false)
  }

  /** With everything in it. */
  watchFolder(path: string): void {
    this.#folders.add(path)
    this.#snapshot.learn(filesIn(path))
    this.#listen(path, true)
  }

  /** The files that have changed since the last call, as soon as there are any. */
  async next(): Promise<ReadonlySet<string>> {
    this.#waiting ??= Promise.withResolvers()
    const { promise } = this.#waiting
    this.#tell()
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
      watcher.on('error', () => watcher.close())
      this.#watchers.set(folder, watcher)
    } catch {
      this.#watchers.set(folder, undefined) // no more watches are to be had: the interval does it
    }
  }

  #soon(): void {
    const now = performance.now()
    if (this.#timer === undefined) this.#burst = now
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), Math.min(quiet, Math.max(0, this.#burst + longest - now)))
  }

  #look(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const files = [...this.#files, ...[...this.#folders].flatMap(filesIn)]
    for (const path of this.#snapshot.changed(files)) this.#changed.add(path)
    const missing = [...this.#changed].some((path) => this.#snapshot.isGone(path))
    if (missing) setTimeout(() => this.#tell(), patience)
    else this.#tell()
  }

  #tell(): void {
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
