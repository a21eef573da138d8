/** Verdicts of recursive validators are cached within one outer call. */
import t from 'tap'
import { recall, remember, runOf } from '../../../src/contract/runtime/memoised.ts'

const error = (keyword: string) => ({ keyword })

t.test('an outer call begins a run, an inner call continues it', async (t) => {
  const run = runOf({ a: 1 })
  t.equal(run.size, 0)
  t.equal(runOf(run), run)
  t.not(runOf({ a: 1 }), run)
})

t.test('a verdict is remembered by validator and object', async (t) => {
  const run = runOf(undefined)
  const valid = { errors: null }
  const invalid: { errors: object[] | null } = { errors: [error('type'), error('minimum')] }
  const data = {}
  t.equal(recall(run, valid, data), undefined)
  t.equal(remember(run, valid, data), true)
  t.equal(remember(run, invalid, data), false)
  invalid.errors = null
  t.equal(recall(run, valid, data), true)
  t.equal(recall(run, invalid, data), false)
  t.same(invalid.errors, [error('type')], 'with its first error')
  t.equal(recall(run, valid, {}), undefined, 'another object with the same members is not known')
})

t.test('numbers, texts and null are not remembered', async (t) => {
  const run = runOf(undefined)
  t.equal(remember(run, { errors: null }, 'text'), true)
  t.equal(remember(run, { errors: [error('type')] }, null), false)
  t.equal(remember(run, {}, 1), true, 'a validator that was never called has no errors')
  t.equal(run.size, 0)
})

t.test('evaluated properties are restored, because unevaluatedProperties reads them', async (t) => {
  const run = runOf(undefined)
  const validate = { errors: null, evaluated: { props: { a: true } as Record<string, boolean> } }
  const data = {}
  remember(run, validate, data)
  validate.evaluated.props = {}
  recall(run, validate, data)
  t.same(validate.evaluated, { props: { a: true } })
})
