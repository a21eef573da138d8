/** Documents as people write them: mistakes in their structure, what is repaired, and what is read. */
import t from 'tap'
import { testRows } from './rows.ts'

t.setTimeout(900_000)
testRows('structure.txt')
testRows('as-written.txt')
