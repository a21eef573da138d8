/** Compiles the contract after every save of one of its files, in a process that stays warm. */

import type { Operation } from '@contract-first/engine/server'
import { byCause, ContractError, type Generated, generate } from '../../compiler.ts'
import { formatChanges } from '../generate/format-changes.ts'
import { handlerReport } from '../generate/missing-handlers.ts'
import { formatReport } from '../generate/report.ts'
import { withBreaking } from '../generate/with-breaking.ts'
import { readProject } from '../project/read-project.ts'
import { paint } from './screen.ts'

const { folder: project, contract, out, handlers, isStrict } = readProject()

export interface ContractOutcome {
  /** The generated files can be served. */
  readonly isGood: boolean
  /** The generated files have changed. */
  readonly isNew: boolean
  /** Text for the terminal. */
  readonly lines: readonly string[]
}

export class ContractStep {
  readonly #files = new Set<string>()
  readonly #watch: (path: string) => void
  #operations: readonly Operation[] | undefined
  #failed: ContractOutcome | undefined

  /** @param watch is called with each file of the contract */
  constructor(watch: (path: string) => void) {
    this.#watch = watch
  }

  /** @param saved undefined: every file counts as saved */
  async run(saved: ReadonlySet<string> | undefined): Promise<ContractOutcome> {
    const concerned = saved === undefined || !saved.isDisjointFrom(this.#files)
    if (concerned) return this.#compile()
    return this.#failed ?? { isGood: true, isNew: false, lines: this.#missing() }
  }

  async #compile(): Promise<ContractOutcome> {
    this.#failed = undefined
    try {
      const generated = await withBreaking(
        await generate({ contract, out, strict: isStrict, onFile: (path) => this.#found(path) })
      )
      this.#operations = generated.compiled.operations
      return { isGood: true, isNew: generated.differing.length > 0, lines: this.#report(generated) }
    } catch (error) {
      this.#failed = { isGood: false, isNew: false, lines: failure(error) }
      return this.#failed
    }
  }

  #found(path: string): void {
    this.#files.add(path)
    this.#watch(path)
  }

  #report({ compiled, changes, time }: Generated): string[] {
    const warnings = formatReport(byCause(compiled.problems), { folder: project, paint, maxWarnings: 3 })
    return [
      paint('dim', `compiled in ${Math.round(time)} ms`),
      ...(warnings === '' ? [] : [warnings]),
      ...(changes.size === 0 ? [] : [paint('bold', formatChanges(changes))]),
      ...this.#missing()
    ]
  }

  #missing(): string[] {
    return this.#operations === undefined ? [] : handlerReport(this.#operations, { paint, folder: handlers })
  }
}

function failure(error: unknown): string[] {
  if (error instanceof ContractError) {
    return formatReport(byCause(error.problems), {
      folder: project,
      paint,
      maxErrors: 5,
      maxWarnings: 3
    }).split('\n')
  }
  const stack = error instanceof Error ? error.stack : String(error)
  return [
    paint('red', 'the compiler failed, which is a defect of its own:'),
    ...(stack ?? '').split('\n').slice(0, 6)
  ]
}
