/** Passes every stored plant through a user's function: first as a trial, then to write the results. */
import { randomUUID } from 'node:crypto'
import { everyPage } from '../store/page.ts'
import type { Replacement, Store, StoredPlant } from '../store/store.ts'
import { ChangeError, ChangeThread } from './change-thread.ts'
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
  const text = await store.note(noteName)
  const last = options.isAgain ? undefined : fromNote<ChangeState>(text)
  const isSame = last?.source === options.source && last.digest === options.digest
  if (last?.isDone && isSame) return { state: last, resumedAfter: undefined, wasDone: true }
  if (last && !last.isDone && !isSame && !options.isContinued) throw interrupted(last)
  const begin = last === undefined || last.isDone ? undefined : last
  const run = new ChangeRun(store, options, text)
  const state = begin ? { ...begin, source: options.source, digest: options.digest } : stateOf(options)
  const tried = await run.pass(state, 'try')
  if (options.isDryRun) return { state: tried, resumedAfter: undefined, wasDone: false }
  const written = await run.end(await run.pass(state, 'write'))
  return { state: written, resumedAfter: begin?.after, wasDone: false }
}

function stateOf({ source, digest }: ChangeOptions): ChangeState {
  return { source, digest, after: undefined, seen: 0, changed: 0, isDone: false, run: randomUUID() }
}

function interrupted({ after, seen }: ChangeState): ChangeError {
  return new ChangeError(
    `another change was interrupted after ${seen.toLocaleString('en')} plants, the last one ${after}: run it again, ` +
      'or go on with this file by --continue, or begin with the first plant by --again'
  )
}

class ChangeRun {
  readonly #store: Store
  readonly #options: ChangeOptions
  #note: string | undefined

  constructor(store: Store, options: ChangeOptions, note: string | undefined) {
    this.#store = store
    this.#options = options
    this.#note = note
  }

  /** Runs one pass in a thread of its own, so that the module is loaded again. */
  async pass(from: ChangeState, phase: 'try' | 'write'): Promise<ChangeState> {
    const { file, maxMs } = this.#options
    const thread = new ChangeThread(file, maxMs === undefined ? {} : { maxMs })
    let state = from
    try {
      await thread.load()
      for await (const page of everyPage(this.#store, from.after)) {
        const replacements = await this.#changes(page, thread)
        const [seen, changed] = [state.seen + page.length, state.changed + replacements.length]
        state = { ...state, after: page.at(-1)?.id, seen, changed }
        if (phase === 'write') await this.#write(replacements, state)
        this.#options.onPage?.(state, phase, replacements)
      }
      return state
    } finally {
      await thread.close()
    }
  }

  async end(state: ChangeState): Promise<ChangeState> {
    const ended = { ...state, isDone: true }
    await this.#write([], ended)
    return ended
  }

  async #changes(page: readonly StoredPlant[], thread: ChangeThread): Promise<Replacement[]> {
    const documents = await thread.change(page)
    return page.flatMap(({ id, document: before }, index) => {
      const after = documents[index]
      return after === undefined || after === before ? [] : [{ id, before, after }]
    })
  }

  async #write(replacements: readonly Replacement[], state: ChangeState): Promise<void> {
    const after = toNote(state)
    if (!(await this.#store.rewrite(replacements, { name: noteName, before: this.#note, after })))
      throw new ChangeError('something else changes the stored plants at this moment: run it again')
    this.#note = after
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
