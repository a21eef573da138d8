/** Calls every operation, lists those not yet seen to succeed, and counts what was seen of the contract. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { smokeTest } from '@contract-first/compiler/smoke-test'
import contract from '../generated/contract.ts'
import { openService } from './client.ts'
import { bounds, credentials, fixtures } from './fixtures.ts'

const { client, coverage, close } = await openService()
after(close)

const unseen: string[] = []
for (const { name, run } of await smokeTest(contract, { fixtures, credentials }))
  test(name, async (t) => {
    const { kind, text } = await run(client)
    if (kind !== 'success') unseen.push(`${name} ${text.split('\n')[0]}`)
    if (kind === 'unseen') t.todo(text)
    assert.notEqual(kind, 'failure', text)
  })

test('a success of every operation has been seen', (t) => {
  for (const each of unseen) t.diagnostic(`not yet: ${each}`)
  if (unseen.length > 0) t.todo(`${unseen.length} not yet`)
})

test('enough of the contract has been seen', (t) => {
  for (const line of coverage.text().trimEnd().split('\n')) t.diagnostic(line)
  coverage.assert(bounds)
})
