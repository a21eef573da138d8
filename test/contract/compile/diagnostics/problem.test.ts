import { join, resolve } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../../src/contract/compile/compile.ts'
import {
  type ContractError,
  formatProblem,
  reasonOf
} from '../../../../src/contract/compile/diagnostics/problem.ts'

t.test('a folder is no contract, and is named', async (t) => {
  const folder = t.testdir({})
  const { problems } = (await compileContract(folder, join(folder, 'out')).catch(
    (error) => error
  )) as ContractError
  t.strictSame(
    problems.map((problem) => formatProblem(problem, folder)),
    [`${resolve(folder)}:1:1 the file cannot be read`]
  )
})

t.equal(reasonOf(new RangeError('too deep')), 'too deep')
t.equal(reasonOf('some packages throw texts'), 'some packages throw texts')
