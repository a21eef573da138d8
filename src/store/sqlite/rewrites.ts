import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { NoteChange, Replacement } from '../store.ts'

/** Schema of the notes; also created at open in files of earlier versions, which do not need it. */
export const notesSchema =
  'CREATE TABLE IF NOT EXISTS plants_notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT'

export class SqliteRewrites {
  readonly #read: StatementSync
  readonly #write: StatementSync
  readonly #replace: StatementSync

  constructor(database: DatabaseSync) {
    this.#read = database.prepare('SELECT text FROM plants_notes WHERE name = ?')
    this.#write = database.prepare('INSERT OR REPLACE INTO plants_notes (name, text) VALUES (?, ?)')
    this.#replace = database.prepare('UPDATE plants SET document = ? WHERE id = ? AND document = ?')
  }

  note(name: string): string | undefined {
    return this.#read.get(name)?.['text'] as string | undefined
  }

  /**
   * Runs in the transaction of the caller.
   * @returns false when the note or a document differs from its expected text; the caller must roll back
   */
  apply(replacements: readonly Replacement[], { name, before, after }: NoteChange): boolean {
    const text = this.note(name)
    if (text === after) return true
    if (text !== before) return false
    for (const each of replacements) {
      const { changes } = this.#replace.run(each.after, each.id, each.before)
      if (changes !== 1) return false
    }
    this.#write.run(name, after)
    return true
  }
}
