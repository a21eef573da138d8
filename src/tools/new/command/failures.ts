/** Writes `src/failures.ts` of a new project: a function for each body that the contract declares for its errors. */

import { identifier, numberedIdentifier, UniqueNames } from '../../../compiler/source/names.ts'
import { commentText, keyOf, sourceOf } from '../../../compiler/source/values.ts'
import { type ErrorSample, expressionsIn } from '../scaffold.ts'

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
${usual === undeclared ? '' : declaredType}
${code}`
}

/** Type of the bodies, so that `tsc` finds one that the contract does not declare. */
const declaredType = `import type { ErrorBody } from '@contract-first/engine/server'
import type contract from '../generated/contract.ts'

/** An error body that the contract declares. */
type DeclaredBody = ReturnType<ErrorBody<typeof contract>>
`

/** The error body of a contract that declares none. */
const undeclared: Body = {
  name: '',
  code: '({ status, code, message }: Failure): unknown {\n  return { status, code, message }\n}\n',
  uses: []
}

/** Names that the functions of `src/failures.ts` must not hide. */
const reserved = 'errorBody bodies body failure operationId status message STATUS_CODES'.split(' ')

function bodiesOf(errors: readonly ErrorSample[]): Body[] {
  const names = new UniqueNames(reserved)
  const found = errors.filter(({ body }) => body !== undefined)
  return [...Map.groupBy(found, codeOf)].map(([code, samples]) => ({
    name: names.take(identifier(samples[0]?.name ?? '', 'failure'), numberedIdentifier),
    code,
    uses: samples.flatMap(({ uses }) => uses)
  }))
}

function codeOf({ body, undecided }: ErrorSample): string {
  const value = sourceOf(body, { indent: 2, used: 7 })
  const reads = ['status', 'message'].filter((name) =>
    expressionsIn(body).some(({ text }) => text.includes(name))
  )
  const samples = undecided.map((name) => (name === '' ? 'the body' : name)).join(', ')
  const open = [
    ...(reads.includes('message') ? [] : ['where the message goes']),
    ...(samples === '' ? [] : [`${samples} ${undecided.length > 1 ? 'are samples' : 'is a sample'}`])
  ]
  const comment = open.length === 0 ? '' : `  // decide: ${commentText(open.join('; '))}\n`
  const parameter = reads.length === 0 ? '_failure' : `{ ${reads.join(', ')} }`
  return `(${parameter}: Failure): DeclaredBody {\n${comment}  return ${value}\n}\n`
}

/** Writes the function that chooses by operation and status, otherwise by status; undeclared failures have the usual body. */
function choiceText(usual: Body, others: readonly Body[]): string {
  const all = [usual, ...others]
  const count = ({ uses }: Body, status: number) => uses.filter((use) => use.status === status).length
  const statuses = new Set(all.flatMap(({ uses }) => uses.map(({ status }) => status)))
  const rows = [...statuses]
    .toSorted((a, b) => a - b)
    .flatMap((status) => {
      const [most = usual, ...exceptions] = all.toSorted((a, b) => count(b, status) - count(a, status))
      const own = exceptions.flatMap((body) =>
        body.uses.flatMap((use) =>
          use.status === status ? [[`${use.operationId} ${status}`, body] as const] : []
        )
      )
      return most === usual ? own : [[String(status), most] as const, ...own]
    })
  const table = rows.map(([key, { name }]) => `  ${keyOf(key)}: ${name}`)
  return `export function errorBody(failure: Failure & { readonly operationId: string | undefined }): DeclaredBody {
  const { operationId, status } = failure
  const body = bodies[\`\${operationId} \${status}\`] ?? bodies[status] ?? ${usual.name}
  return body(failure)
}

/** Bodies by operation and status, and by status. */
const bodies: Readonly<Record<string, (failure: Failure) => DeclaredBody>> = {
${table.join(',\n')}
}
`
}
