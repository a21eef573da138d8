/** The contracts of the quick suite; contracts.test.ts has the others. */
import t from 'tap'
import { contractFiles, firstContracts } from './contract-files.ts'
import { exchangeAll } from './exchange-all.ts'

for (const name of firstContracts) t.test(name, (t) => exchangeAll(t, name, contractFiles().get(name) ?? ''))
