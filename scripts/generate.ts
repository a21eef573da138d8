/** `npm run generate [-- --check] [-- --contract F --out DIR]`: compiles the contract. */
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compileContract } from '../src/contract/compile/compile.ts'
import { ContractError, type ContractProblem, formatProblem } from '../src/contract/compile/problem.ts'
import { differingFiles, writeFiles } from '../src/contract/compile/write.ts'

const project = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    contract: { type: 'string', default: resolve(project, 'openapi.yaml') },
    out: { type: 'string', default: resolve(project, 'generated') }
  }
})
const out = resolve(values.out)

try {
  const started = performance.now()
  const compiled = await compileContract(values.contract, out)
  report(compiled.problems)
  if (values.check) process.exitCode = await check(compiled.files)
  else {
    const changed = await writeFiles(compiled.files, out)
    const count = compiled.operations.length
    const time = `${Math.round(performance.now() - started)} ms`
    console.log(
      `compiled ${count} ${count === 1 ? 'operation' : 'operations'} into ${relative('.', out) || '.'} in ${time}`
    )
    console.log(changed.length === 0 ? 'nothing has changed' : `written: ${changed.join(', ')}`)
  }
} catch (error) {
  if (!(error instanceof ContractError)) throw error
  report(error.problems)
  const errors = error.problems.filter(({ severity }) => severity === 'error').length
  console.error(`\n${errors === 1 ? 'one error' : `${errors} errors`}; nothing was written`)
  process.exitCode = 1
}

function report(problems: readonly ContractProblem[]): void {
  for (const problem of problems) {
    const line = formatProblem(problem, process.cwd())
    console.error(problem.severity === 'error' ? line : `${line} (warning)`)
  }
}

async function check(files: ReadonlyMap<string, string>): Promise<number> {
  const differing = await differingFiles(files, out)
  if (differing.length === 0) {
    console.log(`${relative('.', out) || '.'} is up to date`)
    return 0
  }
  for (const name of differing)
    console.error(`${relative('.', resolve(out, name))} is not what the contract compiles to`)
  console.error('run "npm run generate"')
  return 1
}
