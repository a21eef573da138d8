/** The error bodies of a new project, in the shapes that its contract declares. */
import {
  type ErrorShape,
  type Expression,
  evaluated,
  expressionsIn,
  type Table,
  type Template
} from '../../scaffold.ts'
import { identifier, numberedIdentifier, UniqueNames } from '../../source/names.ts'
import { commentText, keyOf, Source, sourceOf } from '../../source/values.ts'

interface Shape {
  readonly name: string
  readonly template: Template
  readonly uses: ErrorShape['uses']
}

/** The error body of a contract that declares none. */
const plain = `export function errorBody({ status, code, message }: Failure): unknown {
  return { status, code, message }
}
`

/** @param contract the root file of the contract, for the comment */
export function failuresText(errors: readonly ErrorShape[], contract: string): string {
  const tables = new Tables()
  const shapes = functionsOf(errors, tables)
  const [only, ...others] = shapes
  if (only === undefined) return withHead(plain, contract, tables)
  if (others.length === 0)
    return withHead(functionText('errorBody', only.template, { tables, isExported: true }), contract, tables)
  const functions = shapes.map(({ name, template }) =>
    functionText(name, template, { tables, isExported: false })
  )
  return withHead(`${dispatchText(shapes)}\n${functions.join('\n')}`, contract, tables)
}

function withHead(body: string, contract: string, tables: Tables): string {
  const node = body.includes('STATUS_CODES') ? "import { STATUS_CODES } from 'node:http'\n" : ''
  return `/** ${commentText(`The body of every failure, in the shapes that ${contract} declares for its errors.`)} */
${node}import type { Failure } from '@contract-first/engine/errors'

${tables.text()}${body}`
}

/** Merges shapes with the same source text into one function. */
function functionsOf(errors: readonly ErrorShape[], tables: Tables): Shape[] {
  const names = new UniqueNames(['errorBody', 'byStatus', 'byOperation', 'Body', 'Failure', 'failure'])
  const found = new Map<string, Shape>()
  for (const { name, template, uses } of errors) {
    if (template === undefined) continue
    const key = templateText(template, tables)
    const known = found.get(key)
    if (known !== undefined) {
      found.set(key, { ...known, uses: merged(known.uses, uses) })
      continue
    }
    found.set(key, { name: names.take(identifier(name, 'failure'), numberedIdentifier), template, uses })
  }
  return [...found.values()]
}

function merged(a: ErrorShape['uses'], b: ErrorShape['uses']): ErrorShape['uses'] {
  const statuses = new Set([...a.keys(), ...b.keys()])
  return new Map(
    [...statuses].map((status) => [status, [...(a.get(status) ?? []), ...(b.get(status) ?? [])]])
  )
}

interface FunctionOptions {
  readonly tables: Tables
  readonly isExported: boolean
}

function functionText(name: string, template: Template, { tables, isExported }: FunctionOptions): string {
  const body = templateText(template, tables)
  const reads = [...new Set(expressionsIn(template).flatMap(({ reads: names }) => names))]
  const parameter = reads.length === 0 ? '_failure: Failure' : `{ ${reads.join(', ')} }: Failure`
  return `${isExported ? 'export ' : ''}function ${name}(${parameter}): unknown {\n  return ${body}\n}\n`
}

const templateText = (template: Template, tables: Tables): string => {
  const data = evaluated(template, (expression) => new Source(tables.sourceOf(expression)))
  return sourceOf(data, { indent: 2, used: 7 })
}

/** The first shape also serves failures that no operation declares. */
function dispatchText(shapes: readonly Shape[]): string {
  const usual = shapes[0] as Shape
  const statuses = [...new Set(shapes.flatMap(({ uses }) => [...uses.keys()]))].sort((a, b) => a - b)
  const byStatus = new Map(statuses.map((status) => [status, mostUsed(shapes, status)]))
  const others = [...byStatus].filter(([, shape]) => shape !== usual)
  const exceptions = exceptionsOf(shapes, byStatus)
  const parts = [
    ...(exceptions.size > 0 ? ["byOperation[failure.operationId ?? '']?.[failure.status]"] : []),
    ...(others.length > 0 ? ['byStatus[failure.status]'] : []),
    usual.name
  ]
  const tables = [
    ...(others.length > 0 ? [statusTable(others)] : []),
    ...(exceptions.size > 0 ? [operationTable(exceptions)] : [])
  ]
  return `export function errorBody(failure: Failure & { readonly operationId: string | undefined }): unknown {
  const body = ${parts.join(' ?? ')}
  return body(failure)
}

type Body = (failure: Failure) => unknown

${tables.join('\n')}`
}

function mostUsed(shapes: readonly Shape[], status: number): Shape {
  const count = ({ uses }: Shape) => uses.get(status)?.length ?? 0
  return shapes.toSorted((a, b) => count(b) - count(a))[0] as Shape
}

function exceptionsOf(
  shapes: readonly Shape[],
  byStatus: ReadonlyMap<number, Shape>
): ReadonlyMap<string, readonly (readonly [number, Shape])[]> {
  const rows = shapes.flatMap((shape) =>
    [...shape.uses]
      .filter(([status]) => byStatus.get(status) !== shape)
      .flatMap(([status, operations]) => operations.map((operation) => ({ operation, status, shape })))
  )
  const grouped = Map.groupBy(rows, ({ operation }) => operation)
  return new Map(
    [...grouped].map(([operation, all]) => [
      operation,
      all.map(({ status, shape }) => [status, shape] as const)
    ])
  )
}

const membersOf = (rows: readonly (readonly [number, Shape])[]): Record<string, Source> =>
  Object.fromEntries(rows.map(([status, { name }]) => [status, new Source(name)]))

function statusTable(rows: readonly (readonly [number, Shape])[]): string {
  const type = 'Readonly<Record<number, Body>>'
  return `const byStatus: ${type} = ${sourceOf(membersOf(rows), { indent: 0, used: type.length + 18 })}\n`
}

function operationTable(exceptions: ReadonlyMap<string, readonly (readonly [number, Shape])[]>): string {
  const rows = [...exceptions].map(([operation, all]) => {
    const key = keyOf(operation)
    return `  ${key}: ${sourceOf(membersOf(all), { indent: 2, used: key.length + 3 })}`
  })
  return `const byOperation: Readonly<Record<string, Readonly<Record<number, Body>>>> = {\n${rows.join(',\n')}\n}\n`
}

/** Tables of values by failure code; equal tables are written once. */
class Tables {
  readonly #names = new UniqueNames(['errorBody', 'byStatus', 'byOperation'])
  readonly #tables = new Map<string, { readonly name: string; readonly text: string }>()

  sourceOf({ source, table }: Expression): string {
    return table === undefined ? source : `${this.#nameOf(table)}[code]`
  }

  text(): string {
    return [...this.#tables.values()].map(({ text }) => `${text}\n`).join('')
  }

  #nameOf({ name, values }: Table): string {
    const key = `${name} ${[...values].map(([code, value]) => `${code} ${String(value)}`).join()}`
    const known = this.#tables.get(key)
    if (known !== undefined) return known.name
    const words = identifier(name, 'value')
    const free = this.#names.take(words.endsWith('s') ? `${words}Values` : `${words}s`, numberedIdentifier)
    const type = 'Readonly<Record<string, unknown>>'
    const rows = [...values].map(([code, value]) => `  ${keyOf(code)}: ${sourceOf(value, { indent: 2 })}`)
    const text = `/** Values by failure code. */\nconst ${free}: ${type} = {\n${rows.join(',\n')}\n}\n`
    this.#tables.set(key, { name: free, text })
    return free
  }
}
