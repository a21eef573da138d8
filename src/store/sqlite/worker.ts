/** The thread that owns the SQLite file, so that no other thread waits for the disk. Its other end is thread.ts. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { NoteChange, Replacement } from '../store.ts'
import { type BatchColumns, plantsOf } from './columns.ts'
import type { SqliteFile } from './file.ts'
import { openSqliteFile } from './open-file.ts'
import { type PlantColumns, SqlitePages } from './pages.ts'

/** The questions that the thread answers. */
export interface Questions {
  open(ask: { timeout: number }): void
  /** @returns the documents that were stored before; undefined for none */
  commit(ask: BatchColumns & { timeout: number }): Map<bigint, string> | undefined
  get(ask: { id: bigint }): string | undefined
  page(ask: { from: bigint; rows: number }): PlantColumns
  note(ask: { name: string }): string | undefined
  rewrite(ask: { replacements: readonly Replacement[]; note: NoteChange; timeout: number }): boolean
  check(ask: { timeout: number }): void
  close(ask: Record<string, never>): void
}

export interface Question<K extends keyof Questions = keyof Questions> {
  readonly kind: K
  readonly ask: Parameters<Questions[K]>[0]
}

export interface Answer {
  readonly value?: unknown
  readonly error?: unknown
}

const port = parentPort as MessagePort
const path = String(workerData)
const openTimeout = 10_000
let file: SqliteFile | undefined
let pages: SqlitePages | undefined

/** Opens the file at the first question: a thread that replaces a dead one is not asked to. */
function opened(timeout = openTimeout): SqliteFile {
  file ??= openSqliteFile(path, timeout)
  return file
}

const answers: Questions = {
  open: ({ timeout }) => void opened(timeout),
  commit: (batch) => {
    const standing = opened().commit(plantsOf(batch), batch.timeout)
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
    // After the answer was posted; nothing else keeps the thread alive.
    setImmediate(() => port.close())
  }
}

function answer({ kind, ask }: Question): Answer {
  try {
    return { value: (answers[kind] as (ask: unknown) => unknown)(ask) }
  } catch (error) {
    return { error }
  }
}

port.on('message', (question: Question) => port.postMessage(answer(question)))
