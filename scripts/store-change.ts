/** `npm run store:change -- FILE`: passes every stored plant through a module's function, while the server runs. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { command, Mistake, terminal } from '@contract-first/cli/command'
import type { CommandLine } from '@contract-first/cli/command-line'
import { printableJson } from '@contract-first/cli/printable'
import { Progress } from '@contract-first/cli/progress'
import { ChangeError, type ChangeOutcome, changePlants } from '../src/plants/change-plants.ts'
import { PlantCheck } from '../src/plants/check-plants.ts'
import { Plants } from '../src/plants/plant.ts'
import { NotesRefused, type Replacement, type Store } from '../src/store/store.ts'
import { withStore } from './cli/with-store.ts'

const usage = `usage: npm run --silent store:change -- FILE [--dry-run] [--continue] [--again]

  Passes every stored plant through the default export of FILE, a module: a function from a NewPlant, its id a bigint, to
  the changed NewPlant, or to a promise of it. Each result must fit the contract of today and keep its id. All plants are
  tried before the first one is written; then they are written in batches, while the server runs. After an interruption
  the same command goes on where it was.`
const options = {
  '--dry-run': 'writes nothing, and prints the first plants that would change',
  '--continue': 'goes on with this FILE where a change by another one was interrupted',
  '--again': 'begins with the first plant, also after this FILE has changed them all'
}
const notes = 'DATABASE_URL chooses the store, from .env as well.'

await command({ usage, options, notes, words: true }, async (line) => {
  const [name, ...others] = line.words
  if (name === undefined || others.length > 0)
    throw new Mistake(['store:change needs one file; see --help'], { exitCode: 2 })
  await withStore((store) => change(store, resolve(name), line)).catch(refuse)
})

async function change(store: Store, file: string, { is }: CommandLine): Promise<void> {
  const plants = await Plants.load()
  const progress = new Progress({ nouns: ['plant', 'plants'], write: terminal() })
  let examples = 0
  const outcome = await changePlants(store, {
    file,
    source: createHash('sha256').update(read(file)).digest('hex'),
    digest: plants.digest,
    isDryRun: is('dry-run'),
    isAgain: is('again'),
    isContinued: is('continue'),
    onPage: ({ seen }, phase, replacements) => {
      progress.show(seen, 0)
      if (!is('dry-run') || phase === 'write') return
      for (const each of replacements) if (examples++ < 5) console.log(exampleOf(each))
    }
  }).finally(() => progress.clear())
  if (!is('dry-run') && !outcome.wasDone) await new PlantCheck(store, plants).forget()
  console.error(summary(outcome, is('dry-run')))
}

function read(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Mistake([`${file} cannot be read: ${(error as Error).message}`])
  }
}

function summary({ state, wasDone, resumedAfter }: ChangeOutcome, isDryRun: boolean): string {
  const count = `${state.changed.toLocaleString('en')} of ${state.seen.toLocaleString('en')} plants`
  if (wasDone) return `this file has changed ${count} before; nothing was done (--again changes them again)`
  if (isDryRun) return `would change ${count}; nothing was written`
  return `changed ${count}${resumedAfter === undefined ? '' : `, resumed after ${resumedAfter}`}`
}

function exampleOf({ id, before, after }: Replacement): string {
  return printableJson(`{"id":${id},"before":${before},"after":${after}}`)
}

function refuse(error: unknown): never {
  if (error instanceof ChangeError || error instanceof NotesRefused) throw new Mistake([error.message])
  throw error
}
