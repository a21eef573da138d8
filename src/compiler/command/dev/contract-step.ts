/** Compiles the contract after every save of one of its files, in a process that keeps the compiler loaded. */
import { inspect } from 'node:util'
import { byCause, ContractError, formatProblem } from '@contract-first/contract'
import { CachedGenerator, type ContractSummary, type Run } from '../generate/cached-generator.ts'
import { cacheFolder, type Project } from '../generate/read-project.ts'
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
  shownContract: ContractSummary = { title: '', operations: [], securitySchemes: {} }
  readonly #project: Project
  readonly #files = new Set<string>()
  readonly #watch: (path: string) => void
  readonly #generator: CachedGenerator
  #failed: ContractOutcome | undefined
  /** The last compilation, with the changes since the one that was shown. */
  #unshown: Run | undefined

  constructor(project: Project, watch: (path: string) => void) {
    this.#project = project
    this.#watch = watch
    this.#generator = new CachedGenerator(project, { cache: cacheFolder('generate', project.folder) })
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
    this.#generator.warmUp()
  }

  async #compile(): Promise<ContractOutcome> {
    this.#failed = undefined
    try {
      const run = await this.#generator.generate(
        { strict: this.#project.isStrict },
        { onFile: (path) => this.#found(path) }
      )
      this.shownContract = run.contract
      this.#unshown = this.#unshown === undefined ? run : since(this.#unshown, run)
      return { isGood: true, isNew: run.differing.length > 0, report: this.#report }
    } catch (error) {
      this.#failed = { isGood: false, isNew: false, ...failure(error, this.#project.folder) }
      return this.#failed
    }
  }

  #found(path: string): void {
    this.#files.add(path)
    this.#watch(path)
  }

  #report = async (): Promise<readonly string[]> => {
    const compiled = this.#unshown === undefined ? [] : await report(this.#unshown, this.#project.folder)
    const { operations } = this.shownContract
    const missing = await this.#generator.handlers(async (folder) => {
      const { handlerReport } = await import('../generate/handler-stub.ts')
      return handlerReport(operations, { paint, folder })
    })
    return [...compiled, ...missing]
  }
}

/** Returns the run with the earlier document of another one. */
function since({ documents: earlier }: Run, run: Run): Run {
  if (earlier === undefined) return run
  return { ...run, documents: { ...earlier, ...run.documents, before: earlier.before } }
}

async function report({ problems, documents, time }: Run, folder: string): Promise<string[]> {
  const changes = await changesOf(documents)
  const warnings = formatReport(byCause(problems), { folder, paint, maxWarnings: 3 })
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
