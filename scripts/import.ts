/** `npm run --silent import < plants.ndjson`: stores every NewPlant of standard input; idempotent. */
import { fstatSync, type Stats } from 'node:fs'
import { resolve } from 'node:path'
import { command, Mistake, terminal } from '@contract-first/cli/command'
import { Progress } from '@contract-first/cli/progress'
import { ChangeThread } from '../src/plants/change-plants.ts'
import { ImportError, importPlants, linesOf } from '../src/plants/ndjson.ts'
import { Plants } from '../src/plants/plant.ts'
import { type Store, StoreUnavailable } from '../src/store/store.ts'
import { withStore } from './cli/with-store.ts'

const usage = `usage: npm run --silent import [-- --change FILE] < plants.ndjson

  Stores every line of standard input, each the JSON of a plant as POST /plants takes it. Running it again changes nothing.
  DATABASE_URL chooses the store, from .env as well.`
const options = {
  '--change FILE':
    'passes each plant through the default export of FILE first, for a back-up of an earlier contract'
}

await command({ usage, options, words: true }, async ({ words: [file], value }) => {
  if (file !== undefined) throw new Mistake([`it reads standard input: npm run --silent import < ${file}`])
  const input = fstatSync(0)
  if (input.isDirectory()) throw new Mistake(['standard input is a folder; expected lines of JSON'])
  if (process.stdin.isTTY) console.error('reading lines of JSON from this terminal; Ctrl-D ends them')
  const change = value('change')
  const thread = change === undefined ? undefined : await ChangeThread.load(resolve(change))
  try {
    await withStore((store) => importInto(store, input, thread), {})
  } finally {
    await thread?.close()
  }
})

async function importInto(store: Store, input: Stats, thread: ChangeThread | undefined): Promise<void> {
  const progress = new Progress({
    nouns: ['plant', 'plants'],
    write: terminal(),
    size: input.isFile() ? input.size : undefined
  })
  try {
    const plants = await Plants.load()
    const imported = await importPlants(store, plants, linesOf(process.stdin), {
      thread,
      onProgress: ({ plants, bytes }) => progress.show(plants, bytes)
    }).catch(wrong)
    progress.clear()
    console.error(`imported ${progress.summary(imported)}`)
  } catch (error) {
    progress.clear()
    throw error
  }
}

function wrong(error: unknown): never {
  if (!(error instanceof ImportError)) throw error
  const { imported, cause, problems } = error
  const plants = imported === 1 ? '1 plant is' : `${imported} plants are`
  throw new Mistake(problems, { next: `${plants} imported; ${remedy(cause, problems.length)}` })
}

function remedy(cause: unknown, lines: number): string {
  if (cause instanceof StoreUnavailable) return 'run the import again when the store is there'
  if (lines === 1) return 'fix the line and run the import again'
  return 'fix the lines and run the import again, or change them on the way: -- --change FILE'
}
