/** `npm run --silent export > plants.ndjson`: every plant as NDJSON of NewPlant, in id order, while the server runs. */
import { pipeline } from 'node:stream/promises'
import { readConfig } from '../src/config.ts'
import { lineOf } from '../src/plants/plant.ts'
import { openStore, StoreOpenError } from '../src/store/open.ts'
import { Progress } from '../src/store/progress.ts'
import { exportText } from '../src/store/transfer.ts'
import { environment, fail, terminal } from './command.ts'

const progress = new Progress(terminal())

try {
  const read = readConfig(environment())
  if ('problems' in read) fail(...read.problems)
  else await exportFrom(read.config.databaseUrl)
} catch (error) {
  if (!(error instanceof StoreOpenError)) throw error
  fail(error.message)
}

async function exportFrom(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl)
  try {
    const text = exportText(store, lineOf, progress.show)
    await pipeline(text, process.stdout, { end: false }).catch(ignoreClosedReader)
    progress.clear()
  } finally {
    await store.close()
  }
}

/** `npm run export | head` has seen enough. */
function ignoreClosedReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
}
