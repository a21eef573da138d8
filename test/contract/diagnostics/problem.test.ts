import { join, resolve } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import {
  addProblems,
  byCause,
  byCodeUnits,
  ContractError,
  type ContractProblem,
  contractError,
  formatProblem,
  reasonOf,
  withoutConsequences
} from '../../../src/contract/diagnostics/problem.ts'

t.test('problems with one cause become one problem, which counts the others', async (t) => {
  const at = (line: number, message: string) => ({
    severity: 'error' as const,
    file: 'a.yaml',
    line,
    column: 1,
    message
  })
  const problems = [at(1, 'is wrong'), at(2, 'is wrong'), at(3, 'is old'), at(4, 'is bad')]
  t.strictSame(byCause([...problems, at(5, 'is old'), at(6, 'is old')]), [
    at(1, 'is wrong (and at 1 other place)'),
    at(3, 'is old (and at 2 other places)'),
    at(4, 'is bad')
  ])
})

t.test('a folder in place of a contract is an error that names it', async (t) => {
  const folder = t.testdir({})
  const { problems } = (await compileContract(folder, join(folder, 'out')).catch(
    (error) => error
  )) as ContractError
  t.strictSame(
    problems.map((problem) => formatProblem(problem, folder)),
    [`${resolve(folder)}:1:1 the file cannot be read: it is not a regular file`]
  )
})

t.equal(reasonOf(new RangeError('too deep')), 'too deep')
t.equal(reasonOf('some packages throw texts'), 'some packages throw texts')

t.test('a problem on the line of an earlier error is left out as its consequence', async (t) => {
  const problem = (line: number, message: string, severity: ContractProblem['severity'] = 'error') => ({
    severity,
    file: '/openapi.yaml',
    line,
    column: 1,
    message
  })
  const earlier = [problem(1, 'a'), problem(2, 'b', 'warning')]
  const later = [problem(1, 'c'), problem(2, 'd'), { ...problem(1, 'e'), file: '/other.yaml' }]
  t.strictSame(
    addProblems(earlier, later).map(({ message }) => message),
    ['a', 'b', 'd', 'e']
  )
})

t.test('an error that the contract did not cause is thrown on', async (t) => {
  const error = new ContractError([])
  t.equal(contractError(error), error)
  t.throws(() => contractError(new TypeError('a defect')), { constructor: TypeError, message: 'a defect' })
})

const problem = (message: string, rest: Partial<ContractProblem> = {}): ContractProblem => ({
  severity: 'warning',
  file: '/openapi.yaml',
  line: 1,
  column: 1,
  message,
  ...rest
})

t.test('warnings about missing or unused parts may follow from an error', async (t) => {
  const kept = [
    problem('security scheme key is required by no operation: it has no handler', { severity: 'error' }),
    problem('keyword `fromat` is not known and has no effect')
  ]
  const held = [
    problem('POST /plants has no operationId: it is named post_plants'),
    problem('POST /plants declares no response: whatever its handler returns, the answer is 500'),
    problem('security scheme key is required by no operation: it has no handler')
  ]
  t.strictSame(withoutConsequences([...held, ...kept]), kept)
})

t.test('texts are ordered by code units, not by the alphabet of a language', async (t) => {
  const names = ['õ', 'z', 'Z', 'a', 'ä', 'I', 'ı', 'i', '', 'a', '\u{10000}', '\uffff']
  t.strictSame(names.toSorted(byCodeUnits), [
    '',
    'I',
    'Z',
    'a',
    'a',
    'i',
    'z',
    'ä',
    'õ',
    'ı',
    '\u{10000}',
    '\uffff'
  ])
})
