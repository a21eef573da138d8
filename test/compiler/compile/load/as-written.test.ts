/** Documents as people write them: for each contract every problem with its place, and what is read. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../../src/compiler/compile/compile.ts'
import {
  ContractError,
  type ContractProblem,
  formatProblem
} from '../../../../src/compiler/compile/diagnostics/problem.ts'

t.setTimeout(900_000)

interface Row {
  readonly name: string
  /** Text of the root file after `info`, in a line of its own; `paths` by default. */
  readonly contract?: string
  readonly version?: '3.0.3' | '3.2.0'
  /** Further files by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Every problem: `error`, `warning` or `style`, place and message. */
  readonly problems?: readonly string[]
  /** Pointer into the compiled document, with the value there. */
  readonly at?: string
  readonly becomes?: unknown
}

const ok = "{ '204': { description: done } }"
const paths = `paths: { /a: { get: { operationId: a, responses: ${ok} } } }\n`

/** Returns an operation whose body has this schema; the schema begins at 4:2. */
const body = (schema: string, media = '') =>
  `paths: { /a: { post: { operationId: a, requestBody: { content: { application/json: { schema:\n ${schema}${media} } } }, responses: ${ok} } } }\n`

const wrongEnum = 'Example value must conform to the schema: must be equal to one of the allowed values'

const examples: readonly Row[] = [
  {
    name: 'a wrong example beside an enum of numbers',
    contract: body('{ enum: [1, 2], example: 3 }'),
    problems: [`style openapi.yaml:4:27 ${wrongEnum} 1, 2`]
  },
  {
    name: 'a wrong example beside an enum of booleans and null',
    contract: body('{ enum: [true, null], example: false }'),
    problems: [`style openapi.yaml:4:33 ${wrongEnum} true, null`]
  },
  {
    name: 'a wrong example beside an enum of objects, lists and texts',
    contract: body('{ enum: [{ a: 1 }, [b], "1"], example: 1 }'),
    problems: [`style openapi.yaml:4:41 ${wrongEnum} {"a":1}, ["b"], "1"`]
  },
  {
    name: 'a wrong example beside a nullable enum of OpenAPI 3.0',
    version: '3.0.3',
    contract: body('{ type: integer, nullable: true, enum: [1, null], example: 3 }'),
    problems: [`style openapi.yaml:4:61 ${wrongEnum} 1, null`]
  },
  {
    name: 'a wrong member of an example of a media type',
    contract: body('{ properties: { n: { enum: [1] } } }', ', examples: { one: { value: { n: 3 } } }'),
    problems: [`style openapi.yaml:4:71 ${wrongEnum.replace('must be', '`n` property must be')} 1`]
  },
  {
    name: 'a wrong example beside a long enum',
    contract: body(`{ enum: [${Array.from({ length: 300 }, (_, index) => index)}], example: -1 }`),
    problems: [`style openapi.yaml:4:1112 ${wrongEnum} 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 290 more`]
  }
]

const rows: readonly Row[] = [...examples]

for (const { name, contract = paths, version = '3.1.0', files = {}, problems = [], at, becomes } of rows)
  t.test(name, async (t) => {
    const folder = t.testdir({})
    const root = `openapi: ${version}\ninfo: { title: T, version: '1' }\n${contract}`
    for (const [path, text] of Object.entries({ ...files, 'openapi.yaml': root })) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const { found, document } = await compiled(join(folder, 'openapi.yaml'), join(folder, 'out'))
    t.strictSame(
      found.map((problem) => `${kindOf(problem)} ${formatProblem(problem, folder)}`),
      problems
    )
    if (at !== undefined) t.strictSame(valueAt(document, at), becomes)
  })

async function compiled(
  path: string,
  out: string
): Promise<{ readonly found: readonly ContractProblem[]; readonly document?: unknown }> {
  try {
    const { problems, document } = await compileContract(path, out)
    return { found: problems, document }
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    return { found: error.problems }
  }
}

const kindOf = ({ severity, isStyle }: ContractProblem): string => (isStyle === true ? 'style' : severity)

const valueAt = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => Object(node)[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)
