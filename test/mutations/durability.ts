/** The store: acknowledged plants are durable, and clients learn of a plant that cannot be stored. */
import type { Mutation } from './mutation.ts'

export const durability: readonly Mutation[] = [
  {
    guarantee: 'SQLite flushes before the response',
    file: 'src/store/sqlite/file.ts',
    search: 'PRAGMA synchronous = FULL',
    replacement: 'PRAGMA synchronous = NORMAL',
    test: 'store/sqlite/file.test.ts'
  },
  {
    guarantee: 'SQLite flushes the cache of the disk on macOS',
    file: 'src/store/sqlite/file.ts',
    search: 'PRAGMA fullfsync = 1;',
    replacement: '',
    test: 'store/sqlite/file.test.ts'
  },
  {
    guarantee: 'the log of SQLite starts over before commits make its checkpoint',
    file: 'src/store/sqlite/checkpointer.ts',
    search: '>= maxFrames) checkpoint()',
    replacement: '>= maxFrames * 4) checkpoint()',
    test: 'store/sqlite/checkpointer.test.ts'
  },
  {
    guarantee: 'the log of SQLite is bounded without the thread of its checkpoints',
    file: 'src/store/sqlite/file.ts',
    search: 'PRAGMA wal_autocheckpoint = 8192',
    replacement: 'PRAGMA wal_autocheckpoint = 0',
    test: 'store/sqlite/checkpointer.test.ts'
  },
  {
    guarantee: 'PostgreSQL flushes before the response',
    file: 'src/store/postgres/client.ts',
    search: "if (state.durability === 'on' || state.durability === 'remote_apply') return undefined",
    replacement: 'if (state !== undefined) return undefined',
    test: 'store/postgres/connection.test.ts'
  },
  {
    guarantee: 'repeated creates do not make PostgreSQL refuse every batch',
    file: 'src/store/postgres/statements.ts',
    search: 'this.#wary = waryBatches',
    replacement: '',
    test: 'store/postgres/postgres.test.ts'
  },
  {
    guarantee: 'a standby is never used',
    file: 'src/store/postgres/client.ts',
    search: "if (state?.standby !== false || state.read_only !== 'off') return 'is read-only'",
    replacement: 'if (state === undefined) return undefined',
    test: 'store/postgres/standby.test.ts'
  },
  {
    guarantee: 'a PostgreSQL that does not answer is given up',
    file: 'src/store/postgres/connection.ts',
    search: 'const rest = this.#answeredAt + this.#answerTimeout - performance.now()',
    replacement: 'const rest = this.#answeredAt + this.#answerTimeout + 60_000 - performance.now()',
    test: 'store/postgres/standby.test.ts'
  },
  {
    guarantee: 'a taken id is answered when its plant is replicated',
    file: 'src/store/postgres/statements.ts',
    search: "(select pg_logical_emit_message(true, 'plants', '')) as message",
    replacement: "'' as message",
    test: 'store/postgres/standby.test.ts'
  },
  {
    guarantee: 'a commit whose wait for the standby was cancelled is not acknowledged',
    file: 'src/store/postgres/connection.ts',
    search: "if (routine === 'SyncRepWaitForLSN') this.#cancelledWaits++",
    replacement: 'void routine',
    test: 'store/postgres/standby.test.ts'
  },
  {
    guarantee: 'commits that do not end occupy their connections',
    file: 'src/store/postgres/client.ts',
    search: 'const isFull = this.#connections.length === this.#poolSize',
    replacement: 'const isFull = false',
    test: 'store/postgres/standby.test.ts'
  },
  {
    guarantee: 'a store is ready only when commits end',
    file: 'src/store/postgres/postgres.ts',
    search: 'if (this.#isSuspect) await this.#prove(client)',
    replacement: '',
    test: 'store/postgres/standby.test.ts'
  },
  {
    guarantee: 'searches for a PostgreSQL that refuses are paced',
    file: 'src/store/postgres/client.ts',
    search: 'else this.#backoff.failed()',
    replacement: '',
    test: 'store/postgres/connection.test.ts'
  },
  {
    guarantee: 'a TLS option without sslmode is refused',
    file: 'src/store/postgres/url.ts',
    search: 'if (mode === undefined && option !== undefined)',
    replacement: 'if (mode === option)',
    test: 'store/postgres/tls.test.ts'
  },
  {
    guarantee: 'a parameter of libpq that is not implemented is refused',
    file: 'src/store/postgres/url.ts',
    search: 'if (clientSide.test(name)) refuse(',
    replacement: 'if (name === value) refuse(',
    test: 'store/postgres/url.test.ts'
  },
  {
    guarantee: 'a batch that failed is not acknowledged',
    file: 'src/store/group-commit.ts',
    search: 'for (const { reject } of batch) reject(error)',
    replacement: "for (const { resolve } of batch) resolve('created')",
    test: 'store/group-commit.test.ts'
  },
  {
    guarantee: 'the first create of an id wins',
    file: 'src/store/group-commit.ts',
    search: 'if (!plants.has(plant.id)) plants.set(plant.id, plant)',
    replacement: 'plants.set(plant.id, plant)',
    test: 'store/sqlite/sqlite.test.ts'
  },
  {
    guarantee: 'an id belongs to one plant',
    file: 'src/store/group-commit.ts',
    search: "document === plant.document ? 'replayed' : 'taken'",
    replacement: "document === plant.document ? 'replayed' : 'replayed'",
    test: 'store/group-commit.test.ts'
  },
  {
    guarantee: 'the queue is bounded by count',
    file: 'src/store/group-commit.ts',
    search: 'this.#waiting.length >= maxWaiting ||',
    replacement: '',
    test: 'store/group-commit.test.ts'
  },
  {
    guarantee: 'the queue is bounded by size',
    file: 'src/store/group-commit.ts',
    search: '|| this.#characters + document.length > maxWaitingCharacters',
    replacement: '',
    test: 'store/group-commit.test.ts'
  },
  {
    guarantee: 'a lone create is not delayed',
    file: 'src/store/group-commit.ts',
    search: 'if (this.#committing === 0) return true',
    replacement: '',
    test: 'store/group-commit.test.ts'
  },
  {
    guarantee: 'closing waits for accepted creates',
    file: 'src/store/group-commit.ts',
    search: '    await idle\n',
    replacement: '',
    test: 'store/group-commit.test.ts'
  },
  {
    guarantee: 'an import stops at an invalid line',
    file: 'src/plants/ndjson.ts',
    search: 'if (running.failures.length > 0) break',
    replacement: '',
    test: 'plants/ndjson.test.ts'
  }
]
