/** `npm run --silent export > plants.ndjson`: every plant as NDJSON of NewPlant, in id order, while the server runs. */
import { pipeline } from 'node:stream/promises'
import { readConfig } from '../src/config.ts'
import { lineOf } from '../src/plants/plant.ts'
import { openStore, StoreOpenError } from '../src/store/open.ts'
import { exportText } from '../src/store/transfer.ts'
import { environment, fail } from './command.ts'

try {
  const read = readConfig(environment())
  if ('problems' in read) fail(...read.problems)
  else {
    const store = await openStore(read.config.databaseUrl)
    await pipeline(exportText(store, lineOf), process.stdout, { end: false }).catch(ignoreClosedReader)
    await store.close()
  }
} catch (error) {
  if (!(error instanceof StoreOpenError)) throw error
  fail(error.message)
}

/** `npm run export | head` has seen enough. */
function ignoreClosedReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
}
