/** The handlers of a new project. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { sourceOf } from '../../source/values.ts'
import { handlerText, type Stub, wire } from '../generate/handler-stub.ts'
import type { ProjectPlan } from './plan.ts'

export type Files = readonly (readonly [path: string, text: string])[]
type Plan = Pick<ProjectPlan, 'handlers' | 'wiring' | 'examples'>

export const handlerFiles = (plan: Plan): Files => [
  ...plan.handlers.map((stub) => [pathOf(stub), stubText(stub, plan)] as const),
  ...(plan.handlers.length > 0
    ? [['src/handlers/handlers.ts', wire(plan.wiring, plan.handlers)] as const]
    : [])
]

const pathOf = ({ file }: Stub): string => `src/handlers/${file}`

/** @param cast follows the answer, when its type is narrower than its schema */
function stubText(stub: Stub, { examples, wiring: { passed } }: Plan, cast = ''): string {
  const example = examples.get(stub.operation.operationId)
  if (example === undefined) return stub.text
  const { status, body, headers } = example
  const answer = { status, body, ...(Object.keys(headers).length > 0 && { headers }) }
  return handlerText(stub, passed, `${sourceOf(answer, { indent: 2, used: 60 })}${cast}`)
}

/** Casts examples whose type is narrower than their schema: types cannot express everything that a schema can. */
export async function castExamples(folder: string, plan: Plan): Promise<void> {
  const answering = plan.handlers.filter(({ operation }) => plan.examples.has(operation.operationId))
  const program = ts.createProgram(
    answering.map((stub) => join(folder, pathOf(stub))),
    settingsIn(folder)
  )
  for (const stub of answering) {
    const path = join(folder, pathOf(stub))
    if (program.getSemanticDiagnostics(program.getSourceFile(path)).length > 0)
      await writeFile(path, stubText(stub, plan, ' as never'))
  }
}

function settingsIn(folder: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  // The types of Node lie beside the compiler: the new project is not installed yet.
  const types = fileURLToPath(new URL('..', import.meta.resolve('@types/node/package.json')))
  return { ...options, typeRoots: [types] }
}
