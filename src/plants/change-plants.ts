/** Passes every stored plant through a user's function: first as a trial, then to write the results. */
import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { everyPage, type Replacement, type Store, type StoredPlant } from '../store/store.ts'
import type { ChangeAnswer } from './change-worker.ts'
import { fromNote, toNote } from './check-plants.ts'

export interface ChangeOptions extends Pick<ChangeState, 'source' | 'digest'> {
  /** Absolute path of the module; its default export is the function. */
  readonly file: string
  readonly isDryRun?: boolean
  /** Starts with the first plant, also if this change is already done or another one was interrupted. */
  readonly isAgain?: boolean
  /** Resumes a change of another file with this file. */
  readonly isContinued?: boolean
  readonly maxMs?: number
  readonly onPage?: (state: ChangeState, phase: 'try' | 'write', replacements: readonly Replacement[]) => void
}

export interface ChangeOutcome {
  readonly state: ChangeState
  /** Id after which an interrupted run was resumed. */
  readonly resumedAfter: bigint | undefined
  /** True if this change was done before; nothing is changed then. */
  readonly wasDone: boolean
}

/**
 * Changes all plants. After an interruption, also by kill -9, a run resumes after the last written batch: no plant is
 * changed twice.
 * @throws {ChangeError} for a plant that cannot be changed; nothing of its batch is written
 * @throws {StoreUnavailable}
 */
export async function changePlants(store: Store, options: ChangeOptions): Promise<ChangeOutcome> {
  const { source, digest } = options
  let note = await store.note(noteName)
  const last = options.isAgain ? undefined : fromNote<ChangeState>(note)
  const isSame = last?.source === source && last.digest === digest
  if (last?.isDone && isSame) return { state: last, resumedAfter: undefined, wasDone: true }
  if (last && !last.isDone && !isSame && !options.isContinued) throw interrupted(last)
  const begin = last?.isDone ? undefined : last
  const state = begin ? { ...begin, source, digest } : begun(source, digest)
  const write: Write = async (replacements, state) => {
    const after = toNote(state)
    if (!(await store.rewrite(replacements, { name: noteName, before: note, after })))
      throw new ChangeError('something else changes the stored plants at this moment: run it again')
    note = after
  }
  const tried = await pass(store, state, options)
  if (options.isDryRun) return { state: tried, resumedAfter: undefined, wasDone: false }
  const written = { ...(await pass(store, state, options, write)), isDone: true }
  await write([], written)
  return { state: written, resumedAfter: begin?.after, wasDone: false }
}

function begun(source: string, digest: string): ChangeState {
  return { source, digest, after: undefined, seen: 0, changed: 0, isDone: false, run: randomUUID() }
}

function interrupted({ after, seen }: ChangeState): ChangeError {
  return new ChangeError(
    `another change was interrupted after ${seen.toLocaleString('en')} plants, the last one ${after}: run it again, ` +
      'or go on with this file by --continue, or begin with the first plant by --again'
  )
}

/** Writes the changed plants of a page together with the progress. */
type Write = (replacements: readonly Replacement[], state: ChangeState) => Promise<void>

/**
 * Passes all plants through the function, in a thread of its own, so that the module is loaded again.
 * @param write undefined: as a trial
 */
async function pass(
  store: Store,
  from: ChangeState,
  { file, maxMs, onPage }: ChangeOptions,
  write?: Write
): Promise<ChangeState> {
  const thread = await ChangeThread.load(file, maxMs)
  let state = from
  try {
    for await (const page of everyPage(store, from.after)) {
      const documents = await thread.change(page)
      const replacements = page.flatMap(({ id, document: before }, index) => {
        const after = documents[index]
        return after === undefined || after === before ? [] : [{ id, before, after }]
      })
      const [seen, changed] = [state.seen + page.length, state.changed + replacements.length]
      state = { ...state, after: page.at(-1)?.id, seen, changed }
      await write?.(replacements, state)
      onPage?.(state, write === undefined ? 'try' : 'write', replacements)
    }
    return state
  } finally {
    await thread.close()
  }
}

/** Progress of a change of stored plants. The store writes it in the transaction of each batch. */
interface ChangeState {
  /** SHA-256 of the text of the user's module. */
  readonly source: string
  /** Digest of the schema of a plant. */
  readonly digest: string
  /** Last id that was passed through the function. */
  readonly after: bigint | undefined
  readonly seen: number
  readonly changed: number
  readonly isDone: boolean
  /** Id of the run; differs between two runs of one change. */
  readonly run: string
}

const noteName = 'change'

/** Error of a change. The message names the plant, if there is one, and the reason. */
export class ChangeError extends Error {
  override readonly name = 'ChangeError'
}

/** Longest time for the change of one plant, in ms; loading the module may take ten times as long. */
const defaultMaxMs = 5_000

const maxCloseMs = 500

/** Parent side of the thread in change-worker.ts. */
export class ChangeThread {
  readonly #worker: Worker
  readonly #begun = new Int32Array(new SharedArrayBuffer(4))
  readonly #maxMs: number
  readonly #exited: Promise<unknown>
  /** Reason for which the thread has ended. */
  #reason: string | undefined
  #end: (reason: string) => void = () => {}
  #queue: Promise<unknown> = Promise.resolve()

  /** @throws {ChangeError} when the module cannot be loaded */
  static async load(file: string, maxMs = defaultMaxMs): Promise<ChangeThread> {
    const thread = new ChangeThread(file, maxMs)
    try {
      await thread.#enqueue([], 10 * maxMs)
      return thread
    } catch (error) {
      await thread.close()
      throw error
    }
  }

  private constructor(file: string, maxMs: number) {
    this.#maxMs = maxMs
    this.#worker = new Worker(new URL('./change-worker.ts', import.meta.url), {
      workerData: { file, begun: this.#begun }
    })
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve))
    this.#worker.on('error', (error) => this.#ended(`the change function ended its thread: ${String(error)}`))
    this.#worker.on('exit', () => this.#ended('the change function ended its thread'))
  }

  /**
   * Changes and validates plants.
   * @returns their documents
   * @throws {ChangeError} for the first plant that cannot be changed
   */
  change(plants: readonly StoredPlant[]): Promise<readonly string[]> {
    return this.#enqueue(plants, this.#maxMs)
  }

  /** Lets the thread end by itself, unless the user's module keeps it busy. */
  async close(): Promise<void> {
    this.#worker.postMessage(undefined)
    const timer = setTimeout(() => this.#worker.terminate(), maxCloseMs)
    await this.#exited.finally(() => clearTimeout(timer))
  }

  #enqueue(plants: readonly StoredPlant[], limit: number): Promise<readonly string[]> {
    const answer = this.#queue.then(() => this.#ask(plants, limit))
    this.#queue = answer.catch(() => undefined)
    return answer
  }

  async #ask(plants: readonly StoredPlant[], limit: number): Promise<readonly string[]> {
    this.#begun[0] = 0
    const { promise, resolve } = Promise.withResolvers<ChangeAnswer>()
    this.#worker.once('message', resolve)
    this.#worker.postMessage(plants)
    // Every promise is settled: a reaction to a pending one would keep all answers in memory.
    this.#end = (reason) => resolve(this.#stopped(reason))
    if (this.#reason !== undefined) this.#end(this.#reason)
    const timer = this.#watch(limit)
    const { documents, reason } = await promise.finally(() => clearInterval(timer))
    if (reason === undefined) return documents
    const plant = plants[documents.length]
    throw new ChangeError(plant === undefined ? reason : `plant ${plant.id}: ${reason}`)
  }

  #ended(reason: string): void {
    this.#reason ??= reason
    this.#end(this.#reason)
  }

  /** Returns the answer of a stopped thread, which has begun one plant more than it has changed. */
  #stopped(reason: string): ChangeAnswer {
    return { documents: Array(Math.max(0, Number(this.#begun[0]) - 1)).fill(''), reason }
  }

  /** Ends the call when one plant takes too long. */
  #watch(limit: number): NodeJS.Timeout {
    let last = -1
    return setInterval(() => {
      if (this.#begun[0] === last) this.#end(`the change function did not return within ${limit / 1_000} s`)
      last = Number(this.#begun[0])
    }, limit)
  }
}
