/** `npm run store:check`: lists the stored plants that do not fit the current contract, while the server runs. */

import { command, terminal, writeLines } from '@contract-first/cli/command'
import { printableJson } from '@contract-first/cli/printable'
import { Progress } from '@contract-first/cli/progress'
import { PlantCheck, sentenceOf } from '../src/plants/check-plants.ts'
import { type Misfit, Plants } from '../src/plants/plant.ts'
import { withStore } from './cli/with-store.ts'

const usage = `usage: npm run --silent store:check > misfits.ndjson

  Checks every stored plant against the contract, while the server runs. Writes a line of JSON for each plant that does not
  fit: its id and the reason. Exits 1 when there is one. DATABASE_URL chooses the store, from .env as well.`

await command({ usage }, async () => {
  const progress = new Progress({ nouns: ['plant', 'plants'], write: terminal() })
  const result = await withStore(async (store) =>
    new PlantCheck(store, await Plants.load()).run({
      isAnew: true,
      limit: 2_000,
      onPage: async ({ checked }, misfits) => {
        progress.show(checked, 0)
        await writeLines(process.stdout, misfits.map(lineOf))
      }
    })
  )
  progress.clear()
  console.error(sentenceOf(result))
  if (result.misfits > 0) process.exitCode = 1
})

function lineOf({ id, reason }: Misfit): string {
  return printableJson(`{"id":${id},"reason":${JSON.stringify(reason)}}\n`)
}
