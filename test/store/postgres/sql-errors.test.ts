/** The meaning of errors that are hard to cause on a real server. */
import t from 'tap'
import {
  isConnectionCut,
  isServerLost,
  isWorthRetrying,
  reason
} from '../../../src/store/postgres/sql-errors.ts'

const said = (code: string) => Object.assign(new Error('text'), { name: 'PostgresError', code })
const errors: [error: Error, isLost: boolean, isWorth: boolean, reason: string][] = [
  [new Error('PostgreSQL does not answer'), true, true, 'cannot be reached: PostgreSQL does not answer'],
  [Object.assign(new Error(''), { code: 'EPIPE' }), true, true, 'cannot be reached: EPIPE'],
  [said('57P01'), true, true, 'refused: text'],
  [said('08006'), true, true, 'refused: text'],
  [said('40001'), false, true, 'refused: text'],
  [said('53300'), false, true, 'refused: text'],
  [said('53100'), false, false, 'refused: text'],
  [said('42501'), false, false, 'refused: text']
]
t.same(
  errors.map(([error]) => isConnectionCut(error)),
  [false, true, false, false, false, false, false, false],
  'an error with a code that is not the server’s'
)

for (const [error, isLost, isWorth, text] of errors) {
  t.same([isServerLost(error), isWorthRetrying(error), reason(error)], [isLost, isWorth, text])
}
