/** `npm run --silent export > plants.ndjson`: every plant as NDJSON of NewPlant, in id order, while the server runs. */
import { pipeline } from 'node:stream/promises'
import { command, Mistake, terminal } from '@contract-first/cli/command'
import { Progress } from '@contract-first/cli/progress'
import { exportText } from '../src/plants/ndjson.ts'
import type { Store } from '../src/store/store.ts'
import { withStore } from './cli/with-store.ts'

const usage = `usage: npm run --silent export > plants.ndjson

  Writes every plant to standard output, a line of JSON each, in id order, while the server runs.
  DATABASE_URL chooses the store, from .env as well.`

await command({ usage }, () => withStore(exportFrom))

async function exportFrom(store: Store): Promise<void> {
  const write = terminal()
  const progress = new Progress({ nouns: ['plant', 'plants'], write })
  let exported = 0
  const text = exportText(store, ({ plants, bytes }) => {
    exported = plants
    progress.show(plants, bytes)
  })
  await pipeline(text, process.stdout, { end: false }).catch(closedReader)
  progress.clear()
  write?.(`exported ${progress.summary(exported)}\n`)
}

/** Ignores the error of a pipe that a reader such as `head` has closed. */
function closedReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
  if (error.syscall === 'write') throw new Mistake([`standard output cannot be written: ${error.message}`])
  throw error
}
