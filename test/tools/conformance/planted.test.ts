/** The planted defects of desk and depot: requests that are always sent find them, without one by chance. */
import t from 'tap'
import { runDefects } from './run-defects.ts'

t.setTimeout(900_000)
runDefects(t, 'desk', 'depot')
