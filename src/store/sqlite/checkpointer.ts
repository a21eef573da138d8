/**
 * Thread that copies the write-ahead log into the file while the thread of worker.ts commits, because a checkpoint takes
 * up to 100 ms (https://sqlite.org/wal.html#performance_considerations). Its parent is thread.ts.
 */
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { workerData } from 'node:worker_threads'
import type { ThreadData } from './worker.ts'

/** Frames after which the log starts over: 16 MiB. */
const maxFrames = 4_096
/** Frames that are few enough for the committing thread to copy. */
const maxLastFrames = 128
const maxPasses = 5
/** Least requests of the committing thread between two checkpoints, and least time. */
const minRequests = 16
const minPauseMs = 250

const { path, questions, checkpoints } = workerData as ThreadData
const pause = new Int32Array(new SharedArrayBuffer(4))
// Without mode=rw SQLite would make a file in place of one that was removed.
const database = new DatabaseSync(new URL('?mode=rw', pathToFileURL(path)))
database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1')
const passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')

/**
 * Copies the log in passes, each of which copies what was committed during the one before. The log starts over only if
 * nothing is committed during a pass: the committing thread makes this last one.
 */
function checkpoint(): void {
  let copied = 0
  for (let pass = 0; pass < maxPasses; pass++) {
    const { log, checkpointed } = passive.get() as { log: number; checkpointed: number }
    Atomics.add(checkpoints, 1, 1)
    // Frames that a reader still needs are not copied.
    if (log < maxFrames || checkpointed < log) return
    if (log - copied <= maxLastFrames) break
    copied = log
  }
  Atomics.store(checkpoints, 0, 1)
}

for (let done = 0; ; ) {
  const requests = Atomics.load(questions, 0)
  if (((requests - done) | 0) < minRequests) Atomics.wait(questions, 0, requests)
  else {
    done = requests
    checkpoint()
    Atomics.wait(pause, 0, 0, minPauseMs)
  }
}
