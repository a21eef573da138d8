/**
 * Compares each answer of the operations that succeed with the contract, on the data of fixtures.ts, and names the others.
 * Takes the options of `contract conformance`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { credentialOptions, smokeTest } from '@contract-first/compiler/smoke-test'
import contract from '../generated/contract.ts'
import { openService } from './client.ts'
import { credentials, fixtures } from './fixtures.ts'

const names: string[] = []
const { client } = await openService()
for (const { name, run } of await smokeTest(contract, { fixtures, credentials })) {
  const { kind, text } = await run(client)
  if (kind === 'success') names.push('--only', name)
  else console.error(`not checked: ${name} ${text.split('\n')[0]}`)
}

if (names.length === 0) console.error('nothing is checked, because no operation succeeds so far')
else {
  const { app } = await openService()
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}${app.basePath}`
  const options = ['--url', url, ...names, ...credentialOptions(contract, credentials)]
  const words = ['conformance', ...options, ...process.argv.slice(2)]
  const [code] = await once(spawn('contract', words, { stdio: 'inherit' }), 'exit')
  process.exitCode = code ?? 1
}
// Without close(): a handler may never answer.
process.exit()
