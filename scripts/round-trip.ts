/** `npm run round-trip`: values of every contract of the collection go through client and server, and back. */
import { command, Mistake } from '@contract-first/cli/command'
import { collection, roundTripOf } from '../test/round-trip/collection.ts'
import { emptyTally } from '../test/round-trip/round-trip.ts'

const usage = `usage: npm run round-trip [-- NAME… | --values N | --seed N | --part N/M]

  Sends valid requests to every operation of every contract of the collection, and each declared response back.
  Exits 1 when a value comes out as another one.`
const options = {
  '--values N': 'varied values for each request and response, beside plain ones; 5 by default',
  '--seed N': 'seed of the values; 1 by default',
  '--part N/M': 'every Mth operation only, from the Nth on'
}

await command({ usage, options, words: true }, async ({ words, value }) => {
  const [values, seed] = [Number(value('values') ?? 5), Number(value('seed') ?? 1)]
  if (!Number.isInteger(values) || !Number.isInteger(seed))
    throw new Mistake(['--values and --seed must be whole numbers'], { exitCode: 2 })
  const [first, step] = (value('part') ?? '1/1').split('/').map(Number)
  const isWanted = (index: number) => index % Number(step) === Number(first) - 1
  const contracts = await collection()
  const tally = emptyTally()
  for (const name of words.length > 0 ? words : contracts.keys()) {
    const path = contracts.get(name)
    if (path === undefined) throw new Mistake([`no contract ${name}: ${[...contracts.keys()].join(', ')}`])
    const before = { ...tally, differences: tally.differences.length }
    await roundTripOf(name, path, { values, seed, tally, isWanted })
    const counts = [
      `${tally.operations - before.operations} operations`,
      `${tally.requests - before.requests} requests`,
      `${tally.responses - before.responses} responses`
    ]
    console.log(`${name}: ${counts.join(', ')}, ${tally.differences.length - before.differences} differences`)
  }
  for (const difference of tally.differences) console.log(`  ${difference}`)
  for (const [reason, count] of tally.left) console.log(`  left out ${count} times: ${reason}`)
  const { operations, requests, responses, differences } = tally
  const sums = `${operations} operations, ${requests} requests, ${responses} responses`
  console.log(`${sums}, ${differences.length} differences`)
  if (differences.length > 0) process.exitCode = 1
})
