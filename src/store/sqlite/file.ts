/** Plants in one SQLite file, for the thread of worker.ts that owns it: opening, commits, rewrites and pages. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import type { NoteChange, Replacement, StoredPlant } from '../store.ts'

/** Application id 'plnt', the mark of this program's files (https://sqlite.org/pragma.html#pragma_application_id). */
const applicationId = 0x706c6e74
const schemaVersion = 1

const schema = `
  CREATE TABLE plants (id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion}`

/** Also created at open in files of earlier versions, which do not need it. */
const notesSchema =
  'CREATE TABLE IF NOT EXISTS plants_notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT'

/**
 * FULL flushes the log at every commit; with NORMAL a power cut loses acknowledged plants
 * (https://sqlite.org/pragma.html#pragma_synchronous). On macOS a plain fsync leaves data in the cache of the disk
 * (https://sqlite.org/pragma.html#pragma_fullfsync); elsewhere both settings have no effect. Every connection that writes has
 * them.
 */
export const flushSettings = `
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = 1;
  PRAGMA checkpoint_fullfsync = 1`

/**
 * The page cache is 16 MiB. Commits checkpoint the log at 32 MiB, where checkpointer.ts has not done so. With random ids in a
 * large file nearly every create reads an uncached page; the mapping of 1 GiB saves the system call, which cost more than the
 * rest of the commit (https://sqlite.org/mmap.html).
 */
const settings = `${flushSettings};
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA mmap_size = 1073741824`

/** Size up to which a file is checked at open; the check of a larger one would delay the start by seconds. */
const maxCheckedBytes = 64 * 1024 * 1024

/** Error for a file that must not be used. The message is a predicate about its path. */
class SqliteFileRefused extends Error {}

/** Plants in one SQLite file. All methods are synchronous and run in a thread of their own. */
export class SqliteFile {
  readonly #path: string
  readonly #identity: string
  readonly #database: DatabaseSync
  readonly #insert: StatementSync
  readonly #find: StatementSync
  readonly #begin: StatementSync
  readonly #end: StatementSync
  readonly #readNote: StatementSync
  readonly #writeNote: StatementSync
  readonly #replace: StatementSync
  /** Time in ms that the connection waits for locks of other processes. */
  #timeout: number
  /** True after a failed commit: only a real commit can show that the next one would succeed. */
  #suspect = false

  /** @param timeout time in ms to wait for locks of other processes */
  constructor(path: string, timeout: number) {
    this.#path = path
    this.#database = new DatabaseSync(path, { timeout })
    this.#identity = identityOf(path)
    this.#timeout = timeout
    try {
      prepareFile(this.#database)
      this.#insert = this.#prepare('INSERT INTO plants (id, document) VALUES (?, ?) ON CONFLICT DO NOTHING')
      this.#find = this.#prepare('SELECT document FROM plants WHERE id = ?')
      this.#begin = this.#prepare('BEGIN IMMEDIATE')
      this.#end = this.#prepare('COMMIT')
      this.#readNote = this.#database.prepare('SELECT text FROM plants_notes WHERE name = ?')
      this.#writeNote = this.#database.prepare(
        'INSERT OR REPLACE INTO plants_notes (name, text) VALUES (?, ?)'
      )
      this.#replace = this.#database.prepare('UPDATE plants SET document = ? WHERE id = ? AND document = ?')
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** @returns the documents that were already stored under these ids */
  commit(batch: readonly StoredPlant[], timeout: number): Map<bigint, string> {
    const standing = new Map<bigint, string>()
    const insert = () => {
      for (const { id, document } of batch) {
        const { changes } = this.#insert.run(id, document)
        if (changes === 0n) standing.set(id, String(first(this.#find, id)['document']))
      }
    }
    // A single statement is a transaction of its own.
    if (batch.length === 1) this.#changing(timeout, insert)
    else this.#transaction(timeout, insert)
    return standing
  }

  get(id: bigint): string | undefined {
    return this.#find.get(id)?.['document'] as string | undefined
  }

  note(name: string): string | undefined {
    return this.#readNote.get(name)?.['text'] as string | undefined
  }

  /** @returns false when the note or a document differs from its expected text; nothing is changed then */
  rewrite(replacements: readonly Replacement[], note: NoteChange, timeout: number): boolean {
    let isApplied = false
    // A change reads the whole file; a mapping would count all of it as memory of the process.
    if (replacements.length > 0) this.#database.exec('PRAGMA mmap_size = 0')
    this.#transaction(timeout, () => {
      isApplied = this.#apply(replacements, note)
      if (!isApplied) this.#database.exec('ROLLBACK; BEGIN')
    })
    return isApplied
  }

  #apply(replacements: readonly Replacement[], { name, before, after }: NoteChange): boolean {
    const text = this.note(name)
    if (text === after) return true
    if (text !== before) return false
    for (const each of replacements) {
      const { changes } = this.#replace.run(each.after, each.id, each.before)
      if (changes !== 1) return false
    }
    this.#writeNote.run(name, after)
    return true
  }

  /** Copies the rest of the log into the file, so that the log starts over with the next commit. */
  checkpoint(): void {
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  }

  /** @throws {Error} when a commit would probably fail, or be lost because the file was removed or replaced */
  check(timeout: number): void {
    if (identityOf(this.#path) !== this.#identity) throw new Error(`${this.#path} was removed or replaced`)
    if (this.#suspect)
      this.#transaction(timeout, () => this.#database.exec(`PRAGMA user_version = ${schemaVersion}`))
    else this.get(0n)
  }

  close(): void {
    this.#database.close()
  }

  /** Prepares a statement with exact ids. Otherwise `run` throws for ids beyond 2^53 after it has stored the row. */
  #prepare(sql: string): StatementSync {
    const statement = this.#database.prepare(sql)
    statement.setReadBigInts(true)
    return statement
  }

  #transaction(timeout: number, work: () => void): void {
    this.#changing(timeout, () => {
      this.#begin.run()
      try {
        work()
        this.#end.run()
      } finally {
        // SQLite may have rolled back already, for example on a full disk (https://sqlite.org/lang_transaction.html,
        // "response to errors").
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      }
    })
  }

  #changing(timeout: number, work: () => void): void {
    this.#suspect = true
    this.#waitForLocks(timeout)
    work()
    this.#suspect = false
  }

  /** Sets busy_timeout to 90-100 % of `timeout`; setting it on every commit would cost 10 % of a commit. */
  #waitForLocks(timeout: number): void {
    if (this.#timeout <= timeout && this.#timeout >= 0.9 * timeout) return
    this.#timeout = Math.floor(0.95 * timeout)
    this.#database.exec(`PRAGMA busy_timeout = ${this.#timeout}`)
  }
}

/** Returns the device and inode of the file at the path; empty when there is none. */
function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : `${found.dev}:${found.ino}`
}

function prepareFile(database: DatabaseSync): void {
  if (pragma(database, 'application_id') !== applicationId) claim(database)
  const version = pragma(database, 'user_version')
  if (version > schemaVersion) throw new SqliteFileRefused('was written by a newer version of this program')
  const { journal_mode: mode } = first(database.prepare('PRAGMA journal_mode = WAL'))
  if (mode !== 'wal') throw new SqliteFileRefused('is where SQLite cannot keep a write-ahead log')
  checkPages(database)
  database.exec(settings)
  database.exec(notesSchema)
}

/** Creates the schema in an empty file, once, even if several processes start at the same time. */
function claim(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const owner = pragma(database, 'application_id')
    if (owner === applicationId) return
    const { tables } = first(database.prepare('SELECT count(*) AS tables FROM sqlite_schema'))
    if (owner !== 0 || tables !== 0) throw new SqliteFileRefused('is the SQLite file of another program')
    database.exec(`${schema}; COMMIT`)
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}

function checkPages(database: DatabaseSync): void {
  const bytes = pragma(database, 'page_count') * pragma(database, 'page_size')
  if (bytes > maxCheckedBytes) return
  const { quick_check: result } = first(database.prepare('PRAGMA quick_check(1)'))
  if (result !== 'ok') throw new SqliteFileRefused('is damaged')
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(first(database.prepare(`PRAGMA ${name}`))[name])
}

/** @returns the first row, or one without columns */
function first(statement: StatementSync, ...parameters: bigint[]): Record<string, SQLOutputValue> {
  return { ...statement.get(...parameters) }
}

const busy = 5
const ownerOnly = 0o600
/** Memory on which the thread sleeps. */
const pause = new Int32Array(new SharedArrayBuffer(4))

/** Reasons for the operator, by SQLite's primary result codes (https://sqlite.org/rescode.html). */
const reasons = new Map([
  [busy, 'is locked by another process'],
  [8, 'cannot be written'],
  [11, 'is damaged'],
  [13, 'has no space left on its disk'],
  [14, 'cannot be opened'],
  [26, 'is not a SQLite database']
])

/**
 * Opens the file. Creates it and its folder if they are missing.
 * @throws {Error} whose message is one sentence about the path
 */
export function openSqliteFile(path: string, timeout: number): SqliteFile {
  try {
    makeFolder(dirname(path))
    if (isFolder(path)) throw new SqliteFileRefused('is a directory')
    // For its owner only, unlike a file that SQLite makes; the log files get the same mode.
    if (!existsSync(path)) closeSync(openSync(path, 'a', ownerOnly))
    return whenFree(() => new SqliteFile(path, Math.ceil(timeout / 10)), timeout)
  } catch (error) {
    throw new Error(`${path} ${reason(error)}`, { cause: error })
  }
}

/** Retries: SQLite does not wait for every lock, and fails at once when another process is creating the file. */
function whenFree<T>(open: () => T, timeout: number): T {
  const deadline = performance.now() + timeout
  for (;;) {
    try {
      return open()
    } catch (error) {
      if (codeOf(error) !== busy || performance.now() > deadline) throw error
      Atomics.wait(pause, 0, 0, 10)
    }
  }
}

/** Makes a folder and its parents. Node's recursive mkdir never ends where mkdir fails with ENOENT, as in /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function reason(error: unknown): string {
  if (error instanceof SqliteFileRefused) return error.message
  return reasons.get(codeOf(error)) ?? `cannot be opened: ${(error as Error).message}`
}

/** @returns SQLite's primary result code; 0 for other errors */
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff

const maxCharacters = 1024 * 1024

/** Plants by column, which are four times cheaper to post to another thread than objects. */
export interface PlantColumns {
  readonly ids: readonly bigint[]
  readonly documents: readonly string[]
}

/**
 * Reads the plants of a SQLite file in id order. Uses a connection without a mapping, because reading all of a mapped
 * file makes all of it resident.
 */
export class SqlitePages {
  readonly #database: DatabaseSync
  readonly #page: StatementSync

  /** @param path the path of a file that is open as a SqliteFile */
  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true })
    this.#page = this.#database.prepare('SELECT id, document FROM plants WHERE id >= ? ORDER BY id LIMIT ?')
    this.#page.setReadBigInts(true)
  }

  /** @returns the plants from this id on; fewer than `rows` when they are large */
  read(from: bigint, rows: number): PlantColumns {
    const ids: bigint[] = []
    const documents: string[] = []
    let characters = 0
    for (const row of this.#page.iterate(from, rows)) {
      const document = row['document'] as string
      ids.push(row['id'] as bigint)
      documents.push(document)
      characters += document.length
      if (characters > maxCharacters) break
    }
    return { ids, documents }
  }

  close(): void {
    this.#database.close()
  }
}
