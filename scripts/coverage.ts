/** `npm run coverage`: runs the tests that reach src/, and fails for a line or a branch that none of them has run. */
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { command, Mistake } from '@contract-first/service/command/command'
import { exceptions } from '../test/uncovered-lines.ts'
import { gateProblems } from './coverage/gate.ts'

const usage = `usage: npm run coverage

  Runs the tests that reach src/ and fails where a line or a branch of src/ has not run.
  test/uncovered-lines.ts lists the lines that no test reaches, each with its reason.`

const project = resolve(import.meta.dirname, '..')
const reports = resolve(project, 'node_modules/.cache/coverage')

/** The other tests of commands, pages and documents run nothing of src/ that these do not run. */
const tests = ['test/*.test.ts', 'test/{compiler,contract,contracts,plants,service,store}/**/*.test.ts']
const others = [
  'test/e2e/{start,shutdown,sight,reload,limits}.test.ts',
  'test/scripts/{transfer,mistakes}.test.ts',
  'test/compiler/command/generate/{report,run}.test.ts',
  'test/compiler/command/contract-diff/run.test.ts',
  'test/docs/openapi-support.test.ts'
]

/** They compare processor times of code that the others run as well. */
const compared = ['test/contract/linear-work/*.test.ts']

await command({ usage }, () => {
  const files = globSync([...tests, ...others], { cwd: project, exclude: [...compared] }).sort()
  const problems = gateProblems({
    project,
    reports,
    exceptions,
    command: [process.execPath, resolve(import.meta.dirname, 'test.ts'), ...files]
  })
  if (problems === undefined) throw new Mistake(['tests have failed'], { next: 'run npm test' })
  if (problems.length > 0)
    throw new Mistake(problems, {
      next: 'Next: test these lines, or list them with a reason in test/uncovered-lines.ts'
    })
  console.log('every line and branch of src/ is covered, or listed in test/uncovered-lines.ts')
})
