/** `npm run --silent export > plants.ndjson`: every plant as NDJSON of NewPlant, in id order, while the server runs. */
import { pipeline } from 'node:stream/promises'
import { lineOf } from '../src/plants/plant.ts'
import { defaults } from '../src/plants/product.ts'
import { readConfig } from '../src/service/config/config.ts'
import { Progress } from '../src/service/terminal/progress.ts'
import { openStore } from '../src/store/open.ts'
import { exportText } from '../src/store/transfer/ndjson.ts'
import { command, Mistake, storeEnvironment, terminal } from './cli/command.ts'

const usage = `usage: npm run --silent export > plants.ndjson

  Writes every plant to standard output, a line of JSON each, in id order, while the server runs.
  DATABASE_URL chooses the store, from .env as well.`

await command({ usage }, async () => {
  const read = readConfig(storeEnvironment(), defaults)
  if ('problems' in read) throw new Mistake(read.problems)
  await exportFrom(read.config.databaseUrl)
})

async function exportFrom(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl)
  const person = terminal()
  const progress = new Progress({ nouns: ['plant', 'plants'], write: person })
  try {
    let exported = 0
    const text = exportText(store, lineOf, ({ plants, bytes }) => {
      exported = plants
      progress.show(plants, bytes)
    })
    await pipeline(text, process.stdout, { end: false }).catch(closedReader)
    progress.clear()
    person?.(`exported ${progress.summary(exported)}\n`)
  } finally {
    await store.close()
  }
}

/** A reader such as `head` closed the pipe before the end. */
function closedReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
  if (error.syscall === 'write') throw new Mistake([`standard output can not be written: ${error.message}`])
  throw error
}
