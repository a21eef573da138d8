/** The steps of a comparison are bounded, and one message or place leaves steps to the others. */
import t from 'tap'
import { Budget } from '../../../../src/compiler/diff/cases/budget.ts'

/** Spends steps until the budget ends, or at most as many as given. */
function spender(budget: Budget, most = Number.POSITIVE_INFINITY) {
  const spent = { steps: 0 }
  const run = () => {
    while (spent.steps < most) {
      budget.spend(1)
      spent.steps++
    }
    return 'done'
  }
  return { spent, run }
}
const otherwise = () => 'ended'

t.test('messages without end are ended, and take less and less', async (t) => {
  const budget = new Budget()
  const steps = Array.from({ length: 100 }, () => {
    const { spent, run } = spender(budget)
    t.equal(budget.message(run, 'ended'), 'ended')
    return spent.steps
  })
  const total = steps.reduce((sum, each) => sum + each, 0)
  t.ok(total < 9_000_000, `${total} steps`)
  t.strictSame(
    steps,
    steps.toSorted((a, b) => b - a)
  )
  t.equal(budget.message(spender(budget, 10_000).run, 'ended'), 'done', 'a short message is always compared')
})

t.test('a place without end leaves steps to those beside it', async (t) => {
  const budget = new Budget()
  const found = budget.message<readonly string[]>(
    () => [
      budget.place(spender(budget).run, otherwise),
      budget.place(spender(budget, 10_000).run, otherwise),
      budget.place(() => budget.place(spender(budget, 10_000).run, otherwise), otherwise)
    ],
    []
  )
  t.strictSame(found, ['ended', 'done', 'done'])
})

t.test('the steps of a place count for what is around it', async (t) => {
  const budget = new Budget()
  const place = () => budget.place(spender(budget, 1_000).run, otherwise)
  const places = () => {
    for (let count = 0; count < 10_000; count++) if (place() === 'ended') budget.spend(1_000)
    return 'done'
  }
  t.equal(budget.message(places, 'ended'), 'ended')
})

t.test('other errors are thrown on', async (t) => {
  const failing = () => {
    throw new TypeError('other')
  }
  t.throws(() => new Budget().message(failing, 'ended'), { message: 'other' })
})
