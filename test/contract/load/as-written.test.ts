/** Documents as people write them: for each contract every problem with its place, and what is read. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { load } from 'js-yaml'
import t from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import {
  ContractError,
  type ContractProblem,
  formatProblem
} from '../../../src/contract/diagnostics/problem.ts'
import { paths, rows } from './as-written-rows.ts'

t.setTimeout(900_000)

for (const { name, contract = paths, version = '3.1.0', files = {}, problems = [], at, becomes } of rows)
  t.test(name, async (t) => {
    const folder = t.testdir({})
    const root = `openapi: ${version}\ninfo: { title: T, version: '1' }\n${contract}`
    for (const [path, text] of Object.entries({ ...files, 'openapi.yaml': root })) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const {
      found,
      document,
      yaml: published
    } = await compiled(join(folder, 'openapi.yaml'), join(folder, 'out'))
    t.strictSame(
      found.map((problem) => `${kindOf(problem)} ${formatProblem(problem, folder)}`),
      problems
    )
    if (at !== undefined) t.strictSame(valueAt(document, at), becomes)
    if (published !== undefined) t.doesNotThrow(() => load(published), 'the service offers YAML 1.2')
  })

async function compiled(
  path: string,
  out: string
): Promise<{
  readonly found: readonly ContractProblem[]
  readonly document?: unknown
  readonly yaml?: string
}> {
  try {
    const { problems, document, yaml } = await compileContract(path, out)
    return { found: problems, document, yaml }
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    return { found: error.problems }
  }
}

const kindOf = ({ severity, rule }: ContractProblem): string => (rule === 'example' ? 'example' : severity)

const valueAt = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => Object(node)[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)
