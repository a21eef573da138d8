/**
 * Tables of contracts and of their problems, in the text files beside this one. A row begins with versions of OpenAPI:
 *
 *     # A comment.
 *     3.1,3.2 get /a: operationId: a, security: [{ key: [] }]
 *     | tags: []
 *     other.yaml| type: string
 *       error 5:41 security scheme key is not declared in components/securitySchemes
 *       /tags = []
 *
 * `get PATH: MEMBERS` is an operation, `media MEMBERS` the media type of a body at 4:2; any other text is the third line
 * of the contract. `OK` is a map of responses. Lines after `|` belong to the contract, or to the file before the `|`; after
 * `-` in place of the versions, there are only files, the first of which is the root. Indented lines are all problems of
 * the contract, and values in the compiled document by their pointers.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { load } from 'js-yaml'
import t from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { ContractError, formatProblem } from '../../../src/contract/diagnostics/problem.ts'
import { atPointer } from '../../../src/contract/document/reference.ts'

interface Row {
  readonly line: number
  readonly versions: readonly string[]
  readonly files: Map<string, string>
  readonly wanted: string[]
}

const patches: Readonly<Record<string, string>> = { '3.0': '3.0.3', '3.1': '3.1.0', '3.2': '3.2.0' }

const mediaAt = '/paths/~1a/post/requestBody/content/application~1json'

const ok = "{ '204': { description: done } }"

/** Returns the line of a contract after its `info`, and more lines where it is short for them. */
function written(first: string): string {
  const [, path, members] = /^get (\S+|'.*?'): (.*)$/.exec(first) ?? []
  if (path !== undefined) return `paths:\n  ${path}:\n    get: { ${members}, responses: OK }`
  if (!first.startsWith('media ')) return first
  const content = `{ content: { application/json: {\n ${first.slice('media '.length)} } } }`
  return `paths: { /a: { post: { operationId: a, requestBody: ${content}, responses: OK } } }`
}

function rowsOf(text: string): Row[] {
  const rows: Row[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [, versions, first] = /^(-|3\.\d(?:,3\.\d)*)(?: (.*))?$/.exec(line) ?? []
    const row = rows.at(-1)
    if (versions !== undefined) {
      const files = new Map(first === undefined ? [] : [['openapi.yaml', `${written(first)}\n`]])
      rows.push({ line: index + 1, versions: versions.split(','), files, wanted: [] })
    } else if (line.startsWith('  ')) row?.wanted.push(line.slice(2))
    else if (line !== '' && !line.startsWith('#')) {
      const [name = '', ...rest] = line.split('|')
      const file = name === '' ? 'openapi.yaml' : name
      row?.files.set(file, `${row.files.get(file) ?? ''}${rest.join('|').replace(/^ /, '')}\n`)
    }
  }
  return rows
}

/** Runs the rows of a file; each problem and value is expected as it is written. */
export function testRows(name: string): void {
  for (const { line, versions, files, wanted } of rowsOf(
    readFileSync(join(import.meta.dirname, name), 'utf8')
  ))
    for (const version of versions)
      t.test(`${name}:${line} in ${version}`, async (t) => {
        const folder = t.testdir({})
        for (const [path, text] of files) {
          mkdirSync(dirname(join(folder, path)), { recursive: true })
          const isRoot = version in patches && path === 'openapi.yaml'
          const head = isRoot ? `openapi: ${patches[version]}\ninfo: { title: T, version: '1' }\n` : ''
          writeFileSync(join(folder, path), head + text.replaceAll(/\bOK\b/g, ok))
        }
        const [root = 'openapi.yaml'] = version in patches ? [] : files.keys()
        const { problems, document, yaml } = await compiled(join(folder, root), folder)
        const found = problems.map((problem) => {
          const text = formatProblem(problem, folder).replace(/^openapi\.yaml:/, '')
          return `${problem.rule === 'example' ? 'example' : problem.severity} ${text}`
        })
        for (const pointer of wanted.flatMap((each) => /^((?:media)?\/.*?) = /.exec(each)?.[1] ?? []))
          found.push(
            `${pointer} = ${JSON.stringify(atPointer(document, `#${pointer.replace(/^media/, mediaAt)}`))}`
          )
        t.strictSame(found.map(printable).sort(), [...wanted].sort())
        if (yaml !== undefined && !yaml.includes('!!binary'))
          t.doesNotThrow(() => load(yaml), 'the service offers YAML 1.2')
      })
}

async function compiled(path: string, folder: string) {
  try {
    return await compileContract(path, join(folder, 'out'))
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    return { problems: error.problems, document: {}, yaml: undefined }
  }
}

const controls = /[\p{Cc}\u2028\u2029]/gu
const printable = (text: string): string =>
  text.replaceAll(controls, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
