/** Thread that copies the write-ahead log into the file while worker.ts commits. The parent side is sqlite.ts. */
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { workerData } from 'node:worker_threads'
import { flushSettings } from './file.ts'
import type { ThreadData } from './worker.ts'

/** Frames after which the log starts over: 16 MiB. */
const maxFrames = 4_096
/** Frames that are few enough for the committing thread to copy. */
const maxLastFrames = 128
const maxPasses = 5
/** Least time between two looks at the log, in ms. */
const minPauseMs = 250

const { path, questions, checkpoints } = workerData as ThreadData
const pause = new Int32Array(new SharedArrayBuffer(4))
// Without mode=rw SQLite would make a file in place of one that was removed.
const database = new DatabaseSync(new URL('?mode=rw', pathToFileURL(path)))
database.exec(flushSettings)
const passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
/** Copies nothing; before SQLite 3.51 it is the same as the other. */
const size = database.prepare('PRAGMA wal_checkpoint(NOOP)')

/**
 * Copies the log in passes, each of which copies what was committed during the one before. The log starts over only if
 * nothing is committed during a pass (https://sqlite.org/wal.html#ckpt): the committing thread makes this last one.
 */
function checkpoint(): void {
  for (let pass = 0, copied = 0; pass < maxPasses; pass++) {
    const { log, checkpointed } = passive.get() as { log: number; checkpointed: number }
    Atomics.add(checkpoints, 1, 1)
    // Frames that a reader still needs are not copied.
    if (checkpointed < log) return
    if (log - copied <= maxLastFrames) break
    copied = log
  }
  Atomics.store(checkpoints, 0, 1)
}

for (;;) {
  const seen = Atomics.load(questions, 0)
  if (Number(size.get()?.['log']) >= maxFrames) checkpoint()
  Atomics.wait(pause, 0, 0, minPauseMs)
  Atomics.wait(questions, 0, seen)
}
