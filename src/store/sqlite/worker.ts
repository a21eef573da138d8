/** Thread that owns the SQLite file, so that no other thread waits for the disk. The parent side is sqlite.ts. */
import { flushCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { NoteChange, Replacement, Standing } from '../store.ts'
import { openSqliteFile, type SqliteFile, SqlitePages } from './file.ts'
import { SharedBatch } from './shared-batch.ts'

/** Requests by their names: from the arguments of a message to the value of its answer. */
export type Requests = typeof requests

export interface Question {
  readonly kind: keyof Requests
  readonly given: readonly unknown[]
}

/** Answer to a request; undefined for success without a value. */
export type Answer = { readonly value?: unknown; readonly error?: unknown } | undefined

export interface ThreadData {
  readonly path: string
  /** Number of requests, and for each of `memories` the number of the request with its batch. */
  readonly questions: Int32Array
  readonly memories: readonly SharedArrayBuffer[]
  /** 1 when the thread shall make the next checkpoint, and the number of checkpoints. */
  readonly checkpoints: Int32Array
  /** Time on the clock of the parent thread. */
  readonly now: number
}

const port = parentPort as MessagePort
const { path, questions, memories, checkpoints, now: startedAt } = workerData as ThreadData
/** Difference between the clocks of the parent and of this thread, less the time that this one took to start. */
const clockOffset = startedAt - performance.now()
/** Times in ms to wait for locks of other processes. */
const openTimeout = 10_000
const rewriteTimeout = 30_000
const checkTimeout = 500
/** Longest time in ms that the thread spins before it sleeps; 0 on a single core. */
const maxSpinMs = 0.15 * Math.min(1, availableParallelism() - 1)
const batches = memories.map((memory) => new SharedBatch(memory))
let file: SqliteFile | undefined
let pages: SqlitePages | undefined
let isClosed = false
let isLone = false
let lastWaitMs = 0

/** Opens the file with the first request, because a thread that replaces a dead one gets no request `open`. */
function opened(): SqliteFile {
  file ??= openSqliteFile(path, openTimeout)
  return file
}

const requests = {
  open: (): void => {
    opened()
    // Caches the compiled code of this thread for the next start, even if the process is killed.
    flushCompileCache()
  },
  commit: (memory: SharedArrayBuffer) => commit(new SharedBatch(memory)),
  get: (id: bigint) => opened().get(id),
  page: (from: bigint, rows: number) => {
    opened()
    pages ??= new SqlitePages(path)
    return pages.read(from, rows)
  },
  note: (name: string) => opened().note(name),
  rewrite: (replacements: readonly Replacement[], note: NoteChange) =>
    opened().rewrite(replacements, note, rewriteTimeout),
  check: () => opened().check(checkTimeout),
  close: (): void => {
    pages?.close()
    file?.close()
    isClosed = true
  }
}

function commit(batch: SharedBatch): Standing {
  const { plants, deadline } = batch.read()
  const timeout = deadline - clockOffset - performance.now()
  if (timeout <= 0) throw new Error('the store was busy for too long')
  isLone = plants.length === 1
  const standing = opened().commit(plants, timeout)
  return standing.size > 0 ? standing : undefined
}

/** @returns the work of a request that arrived as a message */
function asked(): () => unknown {
  const { message } = receiveMessageOnPort(port) as { message: Question }
  const { kind, given } = message
  return () => (requests[kind] as (...given: readonly unknown[]) => unknown)(...given)
}

function answer(work: () => unknown): Answer {
  try {
    const value = work()
    return value === undefined ? undefined : { value }
  } catch (error) {
    return { error }
  }
}

/** @returns the work of the request with this number */
function workOf(number: number): () => unknown {
  const batch = batches[questions.indexOf(number, 1) - 1]
  return batch === undefined ? asked() : () => commit(batch)
}

/**
 * Waits without an event loop, which takes longer to wake; only requests can arrive. Spins after a single create that
 * came soon, because waking from sleep costs both threads more.
 */
function waitFor(number: number): void {
  const began = performance.now()
  if (isLone && lastWaitMs < maxSpinMs)
    while (Atomics.load(questions, 0) === number && performance.now() - began < maxSpinMs);
  while (Atomics.load(questions, 0) === number) Atomics.wait(questions, 0, number)
  lastWaitMs = performance.now() - began
}

// The numbers wrap around at 2^31.
for (let number = 0; !isClosed; number = (number + 1) | 0) {
  waitFor(number)
  port.postMessage(answer(workOf(number)))
  // An error shows in the next commit, too.
  if (Atomics.exchange(checkpoints, 0, 0) === 1) answer(() => file?.checkpoint())
}
port.close()
