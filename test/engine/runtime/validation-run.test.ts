/** State that the functions of one validation share: bounded errors, cached verdicts, evaluated members. */
import t from 'tap'
import {
  below,
  type Check,
  fail,
  pointerSegment,
  Run,
  recall,
  remember,
  Seen,
  validator
} from '../../../src/engine/runtime/validation-run.ts'

const never: Check = (_value, path, run) => fail(run, path, 'not', {})

t.test('a run collects a bounded number of errors, a branch of it none', async (t) => {
  const run = new Run()
  for (let count = 0; count < 1000; count++) t.equal(fail(run, '/a', 'type', {}), false)
  for (let count = 0; count < 1000; count++) t.equal(fail(run, '/a', 'type', {}), true, 'nobody reads more')
  t.equal(run.errors?.length, 1001)
  t.equal(run.failures, 2000)
  t.equal(fail(run.branch, '/a', 'type', {}), true, 'it ends at the first failure')
  t.equal(run.branch.errors, undefined)
  t.equal(run.branch.branch, run.branch)
})

t.test('a validator has the errors of its last call', async (t) => {
  const validate = validator((value, ...place) => value === 1 || never(value, ...place))
  t.equal(validate(2), false)
  t.strictSame(validate.errors, [{ instancePath: '', keyword: 'not', params: {} }])
  t.equal(validate(1), true)
  t.equal(validate.errors, null)
})

t.test('calls for parts of one value share their verdicts', async (t) => {
  let calls = 0
  const validate = validator((value, path, run) => {
    calls++
    return recall(run, never, value, path) ?? remember(run, never, value, path, false)
  })
  const [value, verdicts] = [{}, new Map()]
  for (let count = 0; count < 2; count++) t.equal(validate(value, verdicts), false)
  t.equal(validate.errors, null)
  t.strictSame([calls, verdicts.size], [2, 1])
})

t.test('a verdict is remembered by function and object', async (t) => {
  const run = new Run()
  const data = {}
  const other: Check = () => true
  t.equal(recall(run, never, data, ''), undefined)
  t.equal(remember(run, never, data, '', false), false)
  t.equal(recall(run, never, data, ''), false)
  t.equal(run.failures, 1, 'its caller is refused, too, without an error of its own')
  t.equal(recall(run, other, data, ''), undefined)
  t.equal(recall(run, never, {}, ''), undefined, 'an equal object is another one')
})

t.test('of numbers, texts and null the last is remembered, at its path', async (t) => {
  const run = new Run()
  remember(run, never, 1, '/a', false)
  t.equal(recall(run, never, 1, '/a'), false)
  t.equal(recall(run, never, 2, '/a'), undefined)
  t.equal(recall(run, never, 1, '/b'), undefined, 'an equal number elsewhere has errors of its own')
})

t.test('evaluated members are remembered, and count where they were not asked for before', async (t) => {
  const run = new Run()
  const data = {}
  const evaluated = new Seen()
  evaluated.names.add('a')
  evaluated.indexes.add(7)
  evaluated.items = 3
  remember(run, never, data, '', true)
  t.equal(recall(run, never, data, '', new Seen()), undefined)
  remember(run, never, data, '', true, evaluated)
  const seen = new Seen()
  t.equal(recall(run, never, data, '', seen), true)
  t.strictSame([[...seen.names], [...seen.indexes], seen.items], [['a'], [7], 3])
  t.equal(recall(run, never, data, ''), true)
})

t.test('paths of errors are bounded, whatever names a client sends', async (t) => {
  t.equal(pointerSegment('a~b/c'), 'a~0b~1c')
  t.equal(pointerSegment('~'.repeat(1000)), '~0'.repeat(200))
  t.equal(below(new Run(), '/a', '/b'), '/a/b')
  t.equal(below(new Run().branch, '/a', '/b'), '', 'nobody reads that of a branch')
  t.match(below(new Run(), '/first', `${'/a'.repeat(5000)}/last`), /^\/first(\/a)+…(\/?a)+.*\/last$/)
})
