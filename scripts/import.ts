/** `npm run --silent import < plants.ndjson`: stores every NewPlant of standard input; doing it twice does no harm. */
import { fstatSync } from 'node:fs'
import { readConfig } from '../src/config.ts'
import { loadPlants } from '../src/plants/plant.ts'
import { openStore, StoreOpenError } from '../src/store/open.ts'
import { ImportError, importLines, linesOf, type Progress } from '../src/store/transfer.ts'
import { environment, fail } from './command.ts'

const started = performance.now()
const size = fstatSync(0).isFile() ? fstatSync(0).size : undefined
let shown = started

try {
  const read = readConfig(environment())
  if ('problems' in read) fail(...read.problems)
  else {
    const store = await openStore(read.config.databaseUrl)
    const { read: readPlant } = await loadPlants()
    try {
      const imported = await importLines(linesOf(process.stdin), store, readPlant, show)
      clear()
      console.error(`${imported} plants are stored (${rate(imported)} a second)`)
    } finally {
      await store.close()
    }
  }
} catch (error) {
  clear()
  if (error instanceof ImportError)
    fail(
      error.message,
      `${error.imported} plants were imported before; mend the line and run the import again`
    )
  else if (error instanceof StoreOpenError) fail(error.message)
  else throw error
}

/** Ten times a second on a terminal, else not at all. */
function show({ imported, bytes }: Progress): void {
  if (!process.stderr.isTTY || performance.now() - shown < 100) return
  shown = performance.now()
  const left =
    size === undefined || bytes === 0
      ? ''
      : `, ${Math.ceil((((shown - started) / bytes) * (size - bytes)) / 1000)} s left`
  process.stderr.write(`\r\x1b[K${imported} plants, ${rate(imported)} a second${left}`)
}

function clear(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}

function rate(imported: number): number {
  return Math.round(imported / Math.max(0.001, (performance.now() - started) / 1000))
}
