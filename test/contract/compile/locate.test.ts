/** Places of contract files, and the integers in them that a YAML parser rounds. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { loadContract } from '../../../src/contract/compile/load.ts'

const integers: readonly (readonly [string, bigint | number])[] = [
  ['9007199254740993', 9007199254740993n],
  ['-9007199254740993', -9007199254740993n],
  ['0x20000000000001', 9007199254740993n],
  ['*large', 9007199254740995n],
  ['9007199254740991', 9007199254740991],
  ['1e20', 1e20]
]

t.test('integers beyond 2^53 are what was written, however it was', async (t) => {
  const file = join(t.testdir({}), 'c.yaml')
  const values = integers.map(([text]) => text).join(', ')
  await writeFile(
    file,
    `openapi: 3.1.0\ninfo: { title: T, version: '1' }\nx-large: &large 9007199254740995\nx-all: [${values}]\npaths: {}\n`
  )
  const { document } = await loadContract(file)
  t.strictSame(
    document['x-all'],
    integers.map(([, value]) => value)
  )
})
