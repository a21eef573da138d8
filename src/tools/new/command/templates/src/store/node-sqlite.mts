/** Lets Kysely use the SQLite of Node: a file, and no further package. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect, type SqliteStatement } from 'kysely'

export class NodeSqliteDialect extends SqliteDialect {
  /** @throws when the file cannot be opened */
  constructor(path: string) {
    const database = new DatabaseSync(path, { timeout: 5_000 })
    // A commit is on the disk before it is answered; readers do not wait for the writer.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    super({
      database: { prepare: (text) => statement(database.prepare(text)), close: () => database.close() }
    })
  }

  override createAdapter() {
    return new TransactionalAdapter()
  }
}

/** SQLite undoes CREATE TABLE with its transaction: a migration that fails leaves nothing. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

function statement(prepared: ReturnType<DatabaseSync['prepare']>): SqliteStatement {
  return {
    reader: prepared.columns().length > 0,
    all: (values: readonly SQLInputValue[]) => prepared.all(...values),
    run: (values: readonly SQLInputValue[]) => prepared.run(...values),
    iterate: (values: readonly SQLInputValue[]) => prepared.iterate(...values)
  }
}
