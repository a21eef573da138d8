/** Writes a handler that type-checks, boots and answers 501, to be replaced by the real one. */
import type { Operation } from '@contract-first/engine/server'

export interface Stub {
  readonly operation: Operation
  /** File name in the folder of the handlers. */
  readonly file: string
  /** Name of the function that makes the handler. */
  readonly name: string
  /** The operationId as a property name in source code. */
  readonly key: string
  readonly text: string
}

/** @param taken identifiers that the wiring file already uses */
export function stubFor(operation: Operation, taken: ReadonlySet<string>): Stub {
  const { operationId, method, path } = operation
  const words = wordsOf(operationId)
  const name = freeName(camelCase(words), taken)
  const key =
    /^[A-Za-z_$][\w$]*$/.test(operationId) && operationId !== '__proto__' ? operationId : quoted(operationId)
  const text = `/** ${method} ${path.replaceAll('*/', '* /')} */
import { FailureError } from '@contract-first/engine/errors'
import type { Handlers } from '../../generated/types.ts'

/** Answers 501 until it is written. */
export function ${name}(): Handlers[${quoted(operationId)}] {
  return async () => {
    throw new FailureError('not-implemented')
  }
}
`
  return { operation, file: `${words.join('-').toLowerCase()}.ts`, name, key, text }
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** Splits `listPets`, `pets.list` or `get_HTTPStatus` into words; an operationId may be any string. */
function wordsOf(operationId: string): string[] {
  const words = operationId
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
  return /^\D/.test(words.join('')) ? words : ['operation', ...words]
}

function camelCase(words: readonly string[]): string {
  const [first = '', ...rest] = words
  return [first.toLowerCase(), ...rest.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join(
    ''
  )
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name) && !isReserved(name)) return name
  let serial = 1
  let candidate = `${name}Operation`
  while (taken.has(candidate)) candidate = `${name}Operation${++serial}`
  return candidate
}

/** Reserved words (ECMA-262, section 12.7.2), including those of strict mode. */
const reserved = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected
  public return static super switch this throw true try typeof undefined var void while with yield`.split(
    /\s+/
  )
)

const isReserved = (name: string): boolean => reserved.has(name)
