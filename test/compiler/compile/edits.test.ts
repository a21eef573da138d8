/**
 * Compiles random edits of contracts: the result does not depend on what the process has compiled before. EDITS=1000
 * makes that many edits instead of those below.
 */
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { compiled, editsOf } from './edits.ts'

t.setTimeout(900_000)

const contracts = globSync('test/contracts/*.yaml').sort()
const edits = Number(process.env['EDITS'] ?? 16)
/** Edits of a contract, one after the other. */
const inOneContract = 4

t.test('edits compile to the same files in any order', async (t) => {
  const folder = t.testdir()
  const texts = Array.from({ length: Math.ceil(edits / inOneContract) }, (_, index) =>
    editsOf(resolve(String(contracts[(index * 7) % contracts.length])), inOneContract, index)
  ).flat()
  const forwards = await compiled(texts, folder)
  // Another thread has compiled nothing, and meets the edits the other way round.
  const other = new Worker(new URL('./edits.ts', import.meta.url), {
    workerData: { texts: texts.toReversed(), folder }
  })
  const [backwards] = await once(other, 'message')
  t.strictSame(backwards.toReversed(), forwards)
  t.ok(new Set(forwards).size > edits / 2, 'edits change the result')
})
