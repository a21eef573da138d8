/** A violation of OpenAPI is an error with a location and a sentence; what OpenAPI allows is at most a warning. */
import t from 'tap'
import { testRows } from './rows.ts'

t.setTimeout(900_000)
testRows('checks.txt')
