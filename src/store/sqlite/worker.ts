/** The thread that owns the SQLite file, so that no other thread waits for the disk. Its other end is thread.ts. */
import { flushCompileCache } from 'node:module'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { NoteChange, Replacement } from '../store.ts'
import { type BatchColumns, plantsOf } from './columns.ts'
import type { SqliteFile } from './file.ts'
import { openSqliteFile } from './open-file.ts'
import { type PlantColumns, SqlitePages } from './pages.ts'

/** The questions that the thread answers. */
export interface Questions {
  open(ask: { timeout: number }): void
  /** @returns the documents that were stored before; undefined for none */
  commit(ask: BatchColumns & Deadline): Map<bigint, string> | undefined
  get(ask: { id: bigint }): string | undefined
  page(ask: { from: bigint; rows: number }): PlantColumns
  note(ask: { name: string }): string | undefined
  rewrite(ask: { replacements: readonly Replacement[]; note: NoteChange; timeout: number }): boolean
  check(ask: { timeout: number }): void
  close(ask: Record<string, never>): void
}

interface Deadline {
  /** On the clock of the thread that asks. */
  readonly deadline: number
}

export interface Question<K extends keyof Questions = keyof Questions> {
  readonly kind: K
  readonly ask: Parameters<Questions[K]>[0]
}

export interface Answer {
  readonly value?: unknown
  readonly error?: unknown
}

export interface ThreadData {
  readonly path: string
  /** Changed and notified after each question. */
  readonly questions: Int32Array
  /** The time of the thread that asks, on its own clock. */
  readonly now: number
}

const port = parentPort as MessagePort
const { path, questions, now: startedAt } = workerData as ThreadData
/** The clock of the thread that asks is ahead by this much, and by the time that this one took to start. */
const clockOffset = startedAt - performance.now()
const openTimeout = 10_000
let file: SqliteFile | undefined
let pages: SqlitePages | undefined
let isClosed = false

/** Opens the file at the first question: a thread that replaces a dead one is not asked to. */
function opened(timeout = openTimeout): SqliteFile {
  file ??= openSqliteFile(path, timeout)
  return file
}

const answers: Questions = {
  open: ({ timeout }) => {
    opened(timeout)
    // Leaves the compiled code of this thread to the next start, also when the process is killed.
    flushCompileCache()
  },
  commit: (batch) => {
    const timeout = batch.deadline - clockOffset - performance.now()
    if (timeout <= 0) throw new Error('the store was busy for too long')
    const standing = opened().commit(plantsOf(batch), timeout)
    return standing.size > 0 ? standing : undefined
  },
  get: ({ id }) => opened().get(id),
  page: ({ from, rows }) => {
    opened()
    pages ??= new SqlitePages(path)
    return pages.read(from, rows)
  },
  note: ({ name }) => opened().note(name),
  rewrite: ({ replacements, note, timeout }) => opened().rewrite(replacements, note, timeout),
  check: ({ timeout }) => opened().check(timeout),
  close: () => {
    pages?.close()
    file?.close()
    isClosed = true
  }
}

function answer({ kind, ask }: Question): Answer {
  try {
    return { value: (answers[kind] as (ask: unknown) => unknown)(ask) }
  } catch (error) {
    return { error }
  }
}

/** Waits without an event loop, which takes longer to wake: nothing but a question can come. */
function nextQuestion(): Question {
  for (;;) {
    const count = Atomics.load(questions, 0)
    const received: { message: Question } | undefined = receiveMessageOnPort(port)
    if (received !== undefined) return received.message
    Atomics.wait(questions, 0, count)
  }
}

while (!isClosed) port.postMessage(answer(nextQuestion()))
port.close()
