/** Contracts of many shapes, in the full suite; first-contracts.test.ts has some of them. */
import t from 'tap'
import { contractFiles, firstContracts } from './contract-files.ts'
import { exchangeAll } from './exchange-all.ts'

t.setTimeout(900_000)
for (const [name, path] of contractFiles())
  if (!firstContracts.includes(name)) t.test(name, (t) => exchangeAll(t, name, path))
