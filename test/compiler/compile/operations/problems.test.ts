/** Declarations of an operation without an effect, or with a wrong value: forms, media types, conditions, `x-` members. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from 'js-yaml'
import t from 'tap'
import { compileContract } from '../../../../src/compiler/compiler.ts'
import type { ContractProblem } from '../../../../src/contract/diagnostics/problem.ts'

interface Row {
  readonly version?: string
  readonly method?: string
  readonly content?: object
  readonly headers?: readonly string[]
  readonly statuses?: readonly string[]
  readonly more?: object
  /** Severity and message of each problem; none for a declaration with an effect. */
  readonly says?: readonly string[]
}

const named = /no effect|not enforced|covers no|no body fits|x-body-limit|x-str|not applied/
const schema = { type: 'string' }

/** Returns a line with the path item of a row. */
function lineOf({ method = 'post', content, headers, statuses = [], more }: Row, index: number): string {
  const parameters = [
    ...(headers ?? []).map((name) => ({ name, in: 'header', schema })),
    { name: 'If-Match', in: 'query', schema }
  ]
  const operation = {
    operationId: `o${index}`,
    ...(content !== undefined && { requestBody: { content } }),
    ...(headers !== undefined && { parameters }),
    responses: Object.fromEntries(['200', ...statuses].map((status) => [status, { description: '' }])),
    ...more
  }
  return `"/${index}": ${JSON.stringify({ [method]: operation })}`
}

const tables = load(readFileSync(join(import.meta.dirname, 'problems.yaml'), 'utf8')) as Readonly<
  Record<string, readonly Row[]>
>

for (const [title, rows] of Object.entries(tables))
  t.test(title, async (t) => {
    const version = rows.find((row) => row.version !== undefined)?.version ?? '3.1.0'
    const lines = rows.map(lineOf)
    const head = `{ "openapi": "${version}", "info": { "title": "T", "version": "1" }, "paths": {`
    const file = join(t.testdir({}), 'openapi.json')
    await writeFile(file, `${head}\n${lines.join(',\n')}\n} }\n`)
    const { problems } = await compileContract(file, t.testdirName).catch(
      (error: { problems: readonly ContractProblem[] }) => error
    )
    for (const [index, { says = [] }] of rows.entries()) {
      const found = problems.filter(({ line, message }) => line === index + 2 && named.test(message))
      t.same(
        found.map(({ severity, message }) => `${severity} ${message}`),
        says,
        String(lines[index])
      )
    }
  })
