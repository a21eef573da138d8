/**
 * `node test/agreement/agreement.ts`: compares types, validators, readers and serializers of random schemas with each
 * other.
 */
import { command, Mistake } from '../../src/cli/command.ts'
import type { CommandLine } from '../../src/cli/command-line.ts'
import { type Batch, runBatch } from './batch.ts'

const usage = `usage: node test/agreement/agreement.ts [--schemas N] [--seed N]`
const options = {
  '--schemas N': 'number of schemas, half of them of OpenAPI 3.0 [200]',
  '--seed N': 'the same seed gives the same schemas and values [1]'
}

/** Number of schemas that TypeScript checks in one program. */
const batchSize = 100

await command({ usage, options }, async (line) => {
  const wanted = count(line, 'schemas', 2 * batchSize)
  const first = count(line, 'seed', 1)
  let values = 0
  const disagreements: string[] = []
  for (let done = 0; done < wanted; done += batchSize) {
    const result = await runBatch(batch(first, done / batchSize, Math.min(batchSize, wanted - done)))
    values += result.values
    disagreements.push(...result.disagreements)
    for (const text of result.disagreements) console.log(text)
    console.log(
      `${Math.min(done + batchSize, wanted)} schemas, ${values} verdicts, ${disagreements.length} disagreements`
    )
  }
  if (disagreements.length > 0) process.exitCode = 1
})

function batch(first: number, index: number, schemas: number): Batch {
  const version = index % 2 === 0 ? '3.0.3' : '3.1.0'
  return { version, seed: first * 1_000_000 + index * 1000, schemas }
}

function count(line: CommandLine, name: string, standard: number): number {
  const number = Number(line.value(name) ?? standard)
  if (Number.isInteger(number) && number > 0) return number
  throw new Mistake([`--${name} must be a positive integer`], { exitCode: 2 })
}
