/** `npm run --silent import < plants.ndjson`: stores every NewPlant of standard input; doing it twice does no harm. */
import { fstatSync } from 'node:fs'
import { readConfig } from '../src/config.ts'
import { loadPlants } from '../src/plants/plant.ts'
import { ImportError, importLines } from '../src/store/import-lines.ts'
import { openStore, StoreOpenError } from '../src/store/open.ts'
import { Progress } from '../src/store/progress.ts'
import { linesOf } from '../src/store/transfer.ts'
import { environment, fail, terminal } from './command.ts'

const input = fstatSync(0)
const progress = new Progress(terminal(), input.isFile() ? input.size : undefined)

try {
  const read = readConfig(environment())
  if ('problems' in read) fail(...read.problems)
  else await importInto(read.config.databaseUrl)
} catch (error) {
  progress.clear()
  if (error instanceof ImportError) {
    const before = `${error.imported} plants are imported; mend the line and run the import again`
    fail(error.message, before)
  } else if (error instanceof StoreOpenError) fail(error.message)
  else throw error
}

async function importInto(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl)
  try {
    const plants = await loadPlants()
    const imported = await importLines(linesOf(process.stdin), store, plants.read, progress.show)
    progress.clear()
    console.error(`imported ${progress.summary(imported)}`)
  } finally {
    await store.close()
  }
}
