/** The store: what was acknowledged is durable, and what can not be stored is said. */
import type { Mutation } from './mutation.ts'

const store = (file: string) => `src/store/${file}.ts`
const test = (file: string) => `store/${file}.test.ts`

export const durability: readonly Mutation[] = [
  {
    guarantee: 'SQLite flushes before the answer',
    file: store('sqlite-file'),
    search: 'PRAGMA synchronous = FULL',
    replacement: 'PRAGMA synchronous = NORMAL',
    test: test('sqlite-file')
  },
  {
    guarantee: 'PostgreSQL flushes before the answer',
    file: store('postgres-url'),
    search: "synchronous_commit: 'on', ",
    replacement: '',
    test: test('postgres-outage')
  },
  {
    guarantee: 'a standby is never used',
    file: store('postgres-primary'),
    search: "return state?.standby === false && state.read_only === 'off'",
    replacement: 'return state !== undefined',
    test: test('failover')
  },
  {
    guarantee: 'a frozen server is given up',
    file: store('postgres-client'),
    search: "new Error('PostgreSQL does not answer')), timeout)",
    replacement: "new Error('PostgreSQL does not answer')), timeout + 60_000)",
    test: test('failover')
  },
  {
    guarantee: 'a batch that failed is not acknowledged',
    file: store('batch'),
    search: 'for (const { reject } of batch) reject(error)',
    replacement: "for (const { resolve } of batch) resolve('created')",
    test: test('group-commit')
  },
  {
    guarantee: 'arrival decides between creates of one id',
    file: store('batch'),
    search: 'if (!plants.has(plant.id)) plants.set(plant.id, plant)',
    replacement: 'plants.set(plant.id, plant)',
    test: test('sqlite')
  },
  {
    guarantee: 'an id belongs to one plant',
    file: store('batch'),
    search: "document === plant.document ? 'replayed' : 'taken'",
    replacement: "document === plant.document ? 'replayed' : 'replayed'",
    test: test('group-commit')
  },
  {
    guarantee: 'the queue is bounded by count',
    file: store('group-commit'),
    search: 'this.#waiting.length >= maxWaiting ||',
    replacement: '',
    test: test('group-commit')
  },
  {
    guarantee: 'the queue is bounded by size',
    file: store('group-commit'),
    search: '|| this.#characters + document.length > maxWaitingCharacters',
    replacement: '',
    test: test('group-commit')
  },
  {
    guarantee: 'a lone create is not delayed',
    file: store('group-commit'),
    search: 'if (this.#committing === 0) return true',
    replacement: '',
    test: test('group-commit')
  },
  {
    guarantee: 'to close waits for what is accepted',
    file: store('group-commit'),
    search: '    await idle\n',
    replacement: '',
    test: test('group-commit')
  },
  {
    guarantee: 'an import stops at a line that is wrong',
    file: store('import-lines'),
    search: 'if (running.failure) break',
    replacement: '',
    test: test('transfer')
  }
]
