import { DatabaseSync, type StatementSync } from 'node:sqlite'

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
