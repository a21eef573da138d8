/**
 * Lines of src/ that no test reaches, each with its reason. `npm test -- --coverage` fails for any other line, and for
 * a listed line that is reached.
 */
import type { Exception } from '../scripts/coverage/uncovered-lines.ts'

const missing = 'a branch that has no test yet'

export const exceptions: readonly Exception[] = [
  { file: 'src/compiler/compile/checks/references.ts', text: 'if (branches.some(', reason: missing },
  { file: 'src/compiler/compile/document/discriminator-object.ts', text: 'outer.has(node)', reason: missing },
  {
    file: 'src/compiler/compile/document/object-kinds.ts',
    text: "says(target, 'description')",
    reason: missing
  },
  {
    file: 'src/compiler/compile/load/contract-folder.ts',
    text: 'this.#realPath(this.#root)',
    reason: missing
  },
  { file: 'src/compiler/compile/types/document-view.ts', text: 'for (let serial = 2', reason: missing },
  { file: 'src/compiler/diff/schemas/annotations.ts', text: "reference.includes('#/')", reason: missing },
  { file: 'src/contract/server/transport/options.ts', text: 'shouldUpgradeCallback', reason: missing },
  { file: 'src/service/observability/metrics-listener.ts', text: "server.on('error'", reason: missing },
  { file: 'src/service/process/run-main.ts', text: 'generatedCodeProblem(', reason: missing },
  { file: 'src/service/terminal/curl.ts', text: 'printable(address) + start', reason: missing },
  { file: 'src/store/postgres/postgres.ts', text: 'store.close().catch(', reason: missing }
]
