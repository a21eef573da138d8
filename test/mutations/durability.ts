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
    guarantee: 'PostgreSQL flushes before the response',
    file: 'src/store/postgres/url.ts',
    search: "synchronous_commit: 'on', ",
    replacement: '',
    test: 'store/postgres/outage.test.ts'
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
    file: 'src/store/postgres/primary.ts',
    search: "return state?.standby === false && state.read_only === 'off'",
    replacement: 'return state !== undefined',
    test: 'store/postgres/failover.test.ts'
  },
  {
    guarantee: 'a PostgreSQL that does not answer is given up',
    file: 'src/store/postgres/client.ts',
    search: 'connection.answeredAt + timeout - performance.now()',
    replacement: 'connection.answeredAt + timeout + 60_000 - performance.now()',
    test: 'store/postgres/failover.test.ts'
  },
  {
    guarantee: 'a batch that failed is not acknowledged',
    file: 'src/store/batch.ts',
    search: 'for (const { reject } of batch) reject(error)',
    replacement: "for (const { resolve } of batch) resolve('created')",
    test: 'store/group-commit.test.ts'
  },
  {
    guarantee: 'the first create of an id wins',
    file: 'src/store/batch.ts',
    search: 'if (!plants.has(plant.id)) plants.set(plant.id, plant)',
    replacement: 'plants.set(plant.id, plant)',
    test: 'store/sqlite/sqlite.test.ts'
  },
  {
    guarantee: 'an id belongs to one plant',
    file: 'src/store/batch.ts',
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
    file: 'src/store/transfer/import.ts',
    search: 'if (running.failures.length > 0) break',
    replacement: '',
    test: 'store/transfer/ndjson.test.ts'
  }
]
