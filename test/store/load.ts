/** Creates without pause, and records the ids that were sent and acknowledged. */
import type { Test } from 'tap'
import type { Store } from '../../src/store/store.ts'
import { plant } from './conformance.ts'

export class Load {
  readonly sent: Set<bigint>
  readonly acknowledged: Set<bigint>
  readonly failures = new Map<string, number>()
  readonly #workers: Promise<void>[]
  #running = true
  #next: bigint

  /** @param previous load that this one continues */
  constructor(create: (id: bigint) => Promise<unknown>, workers = 32, previous?: Load) {
    this.sent = new Set(previous?.sent)
    this.acknowledged = new Set(previous?.acknowledged)
    this.#next = BigInt(this.sent.size)
    this.#workers = Array.from({ length: workers }, () => this.#work(create))
  }

  async #work(create: (id: bigint) => Promise<unknown>): Promise<void> {
    while (this.#running) {
      const id = this.#next++
      this.sent.add(id)
      try {
        await create(id)
        this.acknowledged.add(id)
      } catch (error) {
        const { name } = error as Error
        this.failures.set(name, (this.failures.get(name) ?? 0) + 1)
      }
    }
  }

  /** Waits until `count` more were acknowledged. */
  async progress(count = 500): Promise<void> {
    const target = this.acknowledged.size + count
    while (this.#running && this.acknowledged.size < target)
      await new Promise((resolve) => setTimeout(resolve, 5))
  }

  async stop(): Promise<void> {
    this.#running = false
    await Promise.all(this.#workers)
  }
}

export function loadOn(store: Store): Load {
  return new Load((id) => store.create(plant(id)))
}

/** Asserts that acknowledged ids are stored, and stored ids were sent. */
export async function keepsItsWord(t: Test, { sent, acknowledged }: Load, store: Store): Promise<void> {
  const stored = new Set<bigint>()
  for await (const { id } of store.export()) stored.add(id)
  t.equal(acknowledged.difference(stored).size, 0, `of ${acknowledged.size} acknowledged none is lost`)
  t.equal(stored.difference(sent).size, 0, `of ${stored.size} stored all were sent`)
}
