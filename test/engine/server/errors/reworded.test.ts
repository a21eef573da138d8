/** Own texts for problems: chosen by keyword and place, in the problems and in the message that lists them. */
import t from 'tap'
import { FailureError, type Problem, reworded } from '../../../../src/engine/errors.ts'
import { collectProblems, sentence } from '../../../../src/engine/server/errors/validation-problems.ts'

const texts: Readonly<Record<string, string>> = { required: 'fehlt', type: 'hat den falschen Typ' }
const german = ({ keyword, place }: Problem) => (place === 'body/kept' ? undefined : texts[keyword ?? ''])
const problem = (place: string, keyword: string, message: string) => ({ place, keyword, message })

t.test('texts are chosen by problem, and the message lists them', async (t) => {
  const problems = [
    problem('body/name', 'required', 'is required'),
    problem('body/kept', 'type', 'must be string'),
    problem('query/limit', 'maximum', 'must be <= 7')
  ]
  const { failure } = new FailureError('mismatch', { problems, message: sentence(problems, 3) })
  const own = reworded(failure, german)
  t.equal(own.message, 'body/name fehlt; body/kept must be string; query/limit must be <= 7; and 3 more')
  t.strictSame(own.problems[0], { ...failure.problems[0], message: 'fehlt', pointer: '/name' })
  t.match(own, { code: 'mismatch', status: 400 })
})

t.test('a message that says something else stays', async (t) => {
  const { failure } = new FailureError('mismatch', {
    problems: [problem('body/name', 'required', 'is required')],
    message: 'no such plant'
  })
  t.equal(reworded(failure, german).message, 'no such plant')
  t.equal(reworded(failure, german).problems[0]?.message, 'fehlt')
  const { failure: none } = new FailureError('not-found')
  t.strictSame(reworded(none, german), none)
})

t.test('problems of a validator have pointer and keyword', async (t) => {
  const errors = [{ instancePath: '/a~1b/0', schemaPath: '#', keyword: 'type', params: { type: 'string' } }]
  t.strictSame(collectProblems(errors as never, 'body').problems, [
    { place: 'body/a/b/0', pointer: '/a~1b/0', keyword: 'type', message: 'must be string' }
  ])
})
