/** Verdicts of recursive validators are cached within one outer call. */
import t from 'tap'
import { recall, remember, runOf } from '../../../src/engine/runtime/memoised.ts'

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
  t.equal(recall(run, valid, data, undefined, ''), undefined)
  t.equal(remember(run, valid, data, undefined, ''), true)
  t.equal(remember(run, invalid, data, undefined, ''), false)
  invalid.errors = null
  t.equal(recall(run, valid, data, undefined, ''), true)
  t.equal(recall(run, invalid, data, undefined, ''), false)
  t.same(invalid.errors, [error('type')], 'with its first error')
  t.equal(
    recall(run, valid, {}, undefined, ''),
    undefined,
    'another object with the same members is not known'
  )
})

t.test('of numbers, texts and null the last is remembered, at its place', async (t) => {
  const run = runOf(undefined)
  const holder = {}
  t.equal(remember(run, {}, 1, holder, 'a'), true, 'a validator that was never called has no errors')
  const validate: { errors: object[] | null } = { errors: [error('type')] }
  const recalled = (data: unknown, ...place: [unknown, unknown]) => recall(run, validate, data, ...place)
  t.equal(recalled(undefined, undefined, undefined), undefined)
  t.equal(remember(run, validate, 1, holder, 'a'), false)
  validate.errors = null
  t.equal(recalled(1, holder, 'a'), false)
  t.same(validate.errors, [error('type')], 'with its first error')
  t.strictSame(
    [recalled(2, holder, 'a'), recalled(1, {}, 'a'), recalled(1, holder, 'b')],
    [undefined, undefined, undefined],
    'an equal number elsewhere may be another one in the text'
  )
  t.equal(remember(run, { ...validate }, null, undefined, undefined), false)
})

t.test('evaluated properties are restored, because unevaluatedProperties reads them', async (t) => {
  const run = runOf(undefined)
  const validate = { errors: null, evaluated: { props: { a: true } as Record<string, boolean> } }
  const data = {}
  remember(run, validate, data, undefined, '')
  validate.evaluated.props = {}
  recall(run, validate, data, undefined, '')
  t.same(validate.evaluated, { props: { a: true } })
})
