/** `npm run bench`: compares the service with other servers that do the same work, side by side on this machine. */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, toOutput } from '@contract-first/cli/command'
import { type CommandLine, type Grammar, refuseValue } from '@contract-first/cli/command-line'
import { benchBodies } from '../bench/bodies.ts'
import { benchBoot } from '../bench/boot.ts'
import { benchClient } from '../bench/client.ts'
import { benchContracts } from '../bench/contracts.ts'
import { benchGate, release } from '../bench/gate.ts'
import { benchOverload } from '../bench/overload.ts'
import { benchPath } from '../bench/path.ts'
import { benchPostgres } from '../bench/postgres.ts'
import { printOutcome } from '../bench/report.ts'
import { benchSize } from '../bench/size.ts'
import { benchSqlite, type Plan } from '../bench/sqlite.ts'
import { benchSteady } from '../bench/steady.ts'
import { benchStreams } from '../bench/streams.ts'

type Bench = readonly [help: string, run: (plan: Plan, plants: number) => Promise<void>]

const benches: Readonly<Record<string, Bench>> = {
  bodies: ['bodies of 1 MB that cost the most to read, against JSON', benchBodies],
  boot: ['time from the start of the process to its first response', benchBoot],
  path: ['functions of this project that one POST /plants runs', benchPath],
  sqlite: ['durable creates on SQLite', benchSqlite],
  postgres: ['durable creates on a PostgreSQL of this machine', benchPostgres],
  size: ['cost of a create when many plants are stored; import and export', benchSize],
  streams: ['streams of items, and an upload of 1 GiB, against bare Fastify', benchStreams],
  overload: ['2,000 connections that do not wait for responses', benchOverload],
  client: ['CPU of a call of the client, against a bare fetch', benchClient],
  contracts: ['the compiler, diff and mock on a large contract; CONTRACT names another one', benchContracts],
  gate: [
    'sqlite and postgres, compared with the last release: exit code 1 when a ratio is 10 % worse',
    benchGate
  ],
  steady: [
    'the part of the gate that other work does not disturb: the engine and the service without a database',
    benchSteady
  ]
}

const grammar: Grammar = {
  usage: 'usage: npm run bench [-- NAME… OPTION…]',
  options: {
    ...Object.fromEntries(Object.entries(benches).map(([name, [help]]) => [name, help])),
    '--seconds N': 'of each round [5]',
    '--rounds N': 'number of rounds, after one that warms up [5]',
    '--plants N': 'in the large store of size [10000000]',
    '--release': 'writes bench/released.json, with which gate compares'
  },
  words: Object.keys(benches)
}

await command(grammar, async (line) => {
  const [seconds, rounds, plants] = [
    count(line, 'seconds', 5),
    count(line, 'rounds', 5),
    count(line, 'plants', 1e7)
  ]
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'))
  console.log(toOutput('dim', `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`))
  try {
    const gates = ['gate', 'steady', 'contracts']
    const names =
      line.words.length > 0 ? line.words : Object.keys(benches).filter((name) => !gates.includes(name))
    const plan = { folder, seconds, rounds, releases: line.is('release') }
    for (const name of names) await benches[name]?.[1](plan, plants)
    if (plan.releases) release()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  printOutcome()
})

function count({ value }: CommandLine, name: string, otherwise: number): number {
  const text = value(name)
  const number = Number(text ?? otherwise)
  if (Number.isInteger(number) && number > 0) return number
  return refuseValue(name, text, 'a whole number above 0')
}
