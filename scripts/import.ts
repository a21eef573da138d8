/** `npm run --silent import < plants.ndjson`: stores every NewPlant of standard input; running it again changes nothing. */
import { fstatSync, type Stats } from 'node:fs'
import { plantSink } from '../src/plants/import-plants.ts'
import { Plants } from '../src/plants/plant.ts'
import { defaults } from '../src/plants/product.ts'
import { readConfig } from '../src/service/config/config.ts'
import { Progress } from '../src/service/terminal/progress.ts'
import { openStore } from '../src/store/open.ts'
import { StoreUnavailable } from '../src/store/store.ts'
import { ImportError, importLines } from '../src/store/transfer/import.ts'
import { linesOf } from '../src/store/transfer/ndjson.ts'
import { command, Mistake, storeEnvironment, terminal } from './cli/command.ts'

const usage = `usage: npm run --silent import < plants.ndjson

  Stores every line of standard input, each the JSON of a plant as POST /plants takes it. Running it again changes nothing.
  DATABASE_URL chooses the store, from .env as well.`

await command({ usage, words: true }, async ({ words: [file] }) => {
  if (file !== undefined) throw new Mistake([`it reads standard input: npm run --silent import < ${file}`])
  const input = fstatSync(0)
  if (input.isDirectory()) throw new Mistake(['standard input is a folder; expected lines of JSON'])
  if (process.stdin.isTTY) console.error('reading lines of JSON from this terminal; Ctrl-D ends them')
  const read = readConfig(storeEnvironment(), defaults)
  if ('problems' in read) throw new Mistake(read.problems)
  await importInto(read.config.databaseUrl, input)
})

async function importInto(databaseUrl: string, input: Stats): Promise<void> {
  const store = await openStore(databaseUrl)
  const progress = new Progress({
    nouns: ['plant', 'plants'],
    write: terminal(),
    size: input.isFile() ? input.size : undefined
  })
  try {
    const sink = plantSink(store, await Plants.load())
    const imported = await importLines(linesOf(process.stdin), sink, ({ plants, bytes }) =>
      progress.show(plants, bytes)
    ).catch(wrong)
    progress.clear()
    console.error(`imported ${progress.summary(imported)}`)
  } catch (error) {
    progress.clear()
    throw error
  } finally {
    await store.close()
  }
}

function wrong(error: unknown): never {
  if (!(error instanceof ImportError)) throw error
  const { imported, cause, message } = error
  const remedy =
    cause instanceof StoreUnavailable
      ? 'run the import again when the store is there'
      : 'fix the line and run the import again'
  const plants = imported === 1 ? '1 plant is' : `${imported} plants are`
  throw new Mistake([message], { next: `${plants} imported; ${remedy}` })
}
