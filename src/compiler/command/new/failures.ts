/** Writes `src/failures.ts` of a new project: a function for each body that the contract declares for its errors. */
import { type ErrorSample, type Expression, evaluated } from '../../scaffold.ts'
import { identifier, numberedIdentifier, UniqueNames } from '../../source/names.ts'
import { commentText, keyOf, Source, sourceOf } from '../../source/values.ts'

/** A function of `src/failures.ts`; samples with the same source code share one. */
interface Body {
  readonly name: string
  /** Its parameter and what follows. */
  readonly code: string
  readonly uses: ErrorSample['uses']
}

/** @param contract the root file of the contract, for the comment */
export function failuresText(errors: readonly ErrorSample[], contract: string): string {
  const [usual = undeclared, ...others] = bodiesOf(errors)
  const code =
    others.length === 0
      ? `export function errorBody${usual.code}`
      : `${choiceText(usual, others)}${[usual, ...others].map(({ name, code }) => `\nfunction ${name}${code}`).join('')}`
  const node = code.includes('STATUS_CODES') ? "import { STATUS_CODES } from 'node:http'\n" : ''
  return `/** ${commentText(`The body of every failure, as ${contract} declares it.`)} */
${node}import type { Failure } from '@contract-first/engine/errors'

${code}`
}

/** The error body of a contract that declares none. */
const undeclared: Body = {
  name: '',
  code: '({ status, code, message }: Failure): unknown {\n  return { status, code, message }\n}\n',
  uses: new Map()
}

/** Names that the functions of `src/failures.ts` must not hide. */
const reserved = 'errorBody bodies body failure operationId status message STATUS_CODES'.split(' ')

function bodiesOf(errors: readonly ErrorSample[]): Body[] {
  const names = new UniqueNames(reserved)
  const found = errors.filter(({ body }) => body !== undefined)
  return [...Map.groupBy(found, codeOf)].map(([code, [first, ...others]]) => ({
    name: names.take(identifier(first?.name ?? '', 'failure'), numberedIdentifier),
    code,
    uses: others.reduce((uses, sample) => joined(uses, sample.uses), first?.uses ?? new Map())
  }))
}

const joined = (a: ErrorSample['uses'], b: ErrorSample['uses']): ErrorSample['uses'] =>
  new Map([...a, ...b].map(([status]) => [status, [...(a.get(status) ?? []), ...(b.get(status) ?? [])]]))

function codeOf({ body, undecided }: ErrorSample): string {
  const reads = new Set<string>()
  const data = evaluated(body, ({ reads: name, source }: Expression) => {
    reads.add(name)
    return new Source(source)
  })
  const samples = undecided.map((name) => (name === '' ? 'the body' : name)).join(', ')
  const open = [
    ...(reads.has('message') ? [] : ['where the message goes']),
    ...(samples === '' ? [] : [`${samples} ${undecided.length > 1 ? 'are samples' : 'is a sample'}`])
  ]
  const comment = open.length === 0 ? '' : `  // decide: ${commentText(open.join('; '))}\n`
  const parameter = reads.size === 0 ? '_failure' : `{ ${[...reads].join(', ')} }`
  return `(${parameter}: Failure): unknown {\n${comment}  return ${sourceOf(data, { indent: 2, used: 7 })}\n}\n`
}

/** Writes the function that chooses by operation and status, otherwise by status; undeclared failures have the usual body. */
function choiceText(usual: Body, others: readonly Body[]): string {
  const all = [usual, ...others]
  const count = ({ uses }: Body, status: number) => uses.get(status)?.length ?? 0
  const rows = [...new Set(all.flatMap(({ uses }) => [...uses.keys()]))]
    .toSorted((a, b) => a - b)
    .flatMap((status) => {
      const [most = usual] = all.toSorted((a, b) => count(b, status) - count(a, status))
      const exceptions = all.filter((body) => body !== most)
      return [
        ...(most === usual ? [] : [[String(status), most] as const]),
        ...exceptions.flatMap((body) =>
          (body.uses.get(status) ?? []).map((operation) => [`${operation} ${status}`, body] as const)
        )
      ]
    })
  const table = rows.map(([key, { name }]) => `  ${keyOf(key)}: ${name}`)
  return `export function errorBody(failure: Failure & { readonly operationId: string | undefined }): unknown {
  const { operationId, status } = failure
  const body = bodies[\`\${operationId} \${status}\`] ?? bodies[status] ?? ${usual.name}
  return body(failure)
}

/** Bodies by operation and status, and by status. */
const bodies: Readonly<Record<string, (failure: Failure) => unknown>> = {
${table.join(',\n')}
}
`
}
