/**
 * `npm run bench`: side by side, on this machine, with other servers that do the same work.
 * `npm run bench -- boot sqlite postgres size overload --seconds 5 --rounds 5 --plants 10000000` says which, and how long.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchBoot } from '../bench/boot.ts'
import { benchOverload } from '../bench/overload.ts'
import { benchPostgres } from '../bench/postgres.ts'
import { benchSize } from '../bench/size.ts'
import { benchSqlite, type Plan } from '../bench/sqlite.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    plants: { type: 'string', default: '10000000' }
  }
})

const benches: Record<string, (plan: Plan) => Promise<void>> = {
  boot: benchBoot,
  sqlite: benchSqlite,
  postgres: benchPostgres,
  size: (plan) => benchSize(plan, Number(values.plants)),
  overload: benchOverload
}

const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'))
const plan = { folder, seconds: Number(values.seconds), rounds: Number(values.rounds) }
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`)
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(benches)) await benches[name]?.(plan)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
