/** Compiles the contract after every save of one of its files, in a process that keeps the compiler loaded. */
import { inspect } from 'node:util'
import type { Welcome } from '@contract-first/service/welcome'
import {
  byCause,
  type Compiled,
  ContractError,
  formatProblem,
  type Generated,
  generate
} from '../../compiler.ts'
import { handlerReport } from '../generate/missing-handlers.ts'
import type { Project } from '../generate/read-project.ts'
import { changesOf, formatChanges, formatReport } from '../generate/report.ts'
import { paint } from './screen.ts'

interface ContractOutcome {
  /** The generated files can be served. */
  readonly isGood: boolean
  /** The generated files have changed. */
  readonly isNew: boolean
  /** Compares the contract with the last one that was shown, and returns lines about the changes. */
  readonly report: () => Promise<readonly string[]>
  /** The first error in a line, for the docs page. */
  readonly notice?: string | undefined
}

export class ContractStep {
  /** The last contract that compiled. */
  shownContract: Welcome['contract'] = { title: '', operations: [], securitySchemes: {} }
  readonly #project: Project
  readonly #files = new Set<string>()
  readonly #watch: (path: string) => void
  #compiled: Compiled | undefined
  #failed: ContractOutcome | undefined
  /** The last compilation, with the changes since the one that was shown. */
  #unshown: Generated | undefined

  constructor(project: Project, watch: (path: string) => void) {
    this.#project = project
    this.#watch = watch
  }

  /** @param saved undefined: every file counts as saved */
  async run(saved: ReadonlySet<string> | undefined): Promise<ContractOutcome> {
    const concerned = saved === undefined || !saved.isDisjointFrom(this.#files)
    if (concerned) return this.#compile()
    return this.#failed ?? { isGood: true, isNew: false, report: this.#report }
  }

  /** Is called when the outcome of the last run is on the screen; a run that the next save overtakes is never shown. */
  shown(): void {
    if (this.#failed === undefined) this.#unshown = undefined
  }

  async #compile(): Promise<ContractOutcome> {
    this.#failed = undefined
    try {
      const { contract, root, formats, out, isStrict: strict } = this.#project
      const onFile = (path: string) => this.#found(path)
      const generated = await generate({ contract, root, formats, out, strict, onFile })
      this.#compiled = generated.compiled
      this.shownContract = generated.compiled
      this.#unshown = this.#unshown === undefined ? generated : since(this.#unshown, generated)
      return { isGood: true, isNew: generated.differing.length > 0, report: this.#report }
    } catch (error) {
      this.#failed = { isGood: false, isNew: false, ...failure(error, this.#project.folder) }
      return this.#failed
    }
  }

  #found(path: string): void {
    this.#files.add(path)
    this.#watch(path)
  }

  #report = async (): Promise<string[]> => {
    const { folder, handlers } = this.#project
    const compiled = this.#unshown === undefined ? [] : await report(this.#unshown, folder)
    const missing =
      this.#compiled === undefined
        ? []
        : handlerReport(this.#compiled.operations, { paint, folder: handlers })
    return [...compiled, ...missing]
  }
}

/** Returns the run with the earlier document of another one. */
function since(earlier: Generated, generated: Generated): Generated {
  const documents = { ...generated.documents, before: earlier.documents.before }
  return { ...generated, documents }
}

async function report({ compiled, documents, time }: Generated, folder: string): Promise<string[]> {
  const changes = await changesOf(documents)
  const warnings = formatReport(byCause(compiled.problems), { folder, paint, maxWarnings: 3 })
  return [
    paint('dim', `compiled in ${Math.round(time)} ms`),
    ...(warnings === '' ? [] : [warnings]),
    ...(changes.size === 0 ? [] : [paint('bold', formatChanges(changes))])
  ]
}

function failure(error: unknown, folder: string): Pick<ContractOutcome, 'report' | 'notice'> {
  if (error instanceof ContractError) {
    const problems = byCause(error.problems)
    const [first] = problems.filter(({ severity }) => severity === 'error')
    const report = formatReport(problems, { folder, paint, maxErrors: 5, maxWarnings: 3 })
    return { report: async () => report.split('\n'), notice: first && formatProblem(first, folder) }
  }
  const [sentence = '', ...stack] = inspect(error).split('\n').slice(0, 6)
  const head = 'the compiler failed, which is a defect of its own:'
  return { report: async () => [paint('red', head), sentence, ...stack], notice: `${head} ${sentence}` }
}
