/**
 * The code of a new project that its contract decides: a handler for each operation, the list of all, which `contract
 * generate` reads and extends, and the functions that judge credentials.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { commentText, keyOf, quoted, sourceOf } from '../../source/values.ts'
import { typesImport } from '../generate/handler-stub.ts'
import type { HandlerPlan, ProjectPlan } from './plan.ts'

export type Files = readonly (readonly [path: string, text: string | Buffer])[]

export function handlerFiles(handlers: readonly HandlerPlan[]): Files {
  const files = handlers.map((handler) => [handlerFile(handler), handlerText(handler)] as const)
  return [...files, ['src/handlers/handlers.ts', listText(handlers)]]
}

const handlerFile = ({ folder, file }: HandlerPlan): string => `src/handlers/${folder}/${file}.ts`

/** @param cast follows the answer, when its type is narrower than its schema */
function handlerText({ operation, identifier, responseType, response }: HandlerPlan, cast = ''): string {
  const { method, path, operationId } = operation
  const failure =
    response === undefined ? "import { FailureError } from '@contract-first/engine/errors'\n" : ''
  const does = response === undefined ? 'Answers 501' : 'Answers an example of the contract'
  const head = `async (): Promise<${responseType}> =>`
  const body =
    response === undefined
      ? `${head} {\n    throw new FailureError('not-implemented')\n  }`
      : `${head} (${sourceOf(responseOf(response), { indent: 2, used: 12 + head.length + cast.length })}${cast})`
  return `/** ${commentText(`${method} ${path}`)} */
${failure}${typesImport(responseType, '../../..')}import type { Store } from '../../store/store.ts'

/** ${does} until it is written. */
export function ${identifier}(_store: Store): Handlers[${quoted(operationId)}] {
  return ${body}
}
`
}

function responseOf({ status, body, headers }: NonNullable<HandlerPlan['response']>): object {
  return {
    status,
    ...(body === undefined ? {} : { body }),
    ...(Object.keys(headers).length === 0 ? {} : { headers })
  }
}

function listText(handlers: readonly HandlerPlan[]): string {
  const sorted = handlers.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const imports = sorted.map(
    (handler) => `import { ${handler.identifier} } from './${placeOf(handler)}.ts'\n`
  )
  const members = handlers.map(
    ({ operation, identifier }) => `    ${keyOf(operation.operationId)}: ${identifier}(store)`
  )
  const list = members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n  }`
  return `/** A handler for every operation. \`npm run generate -- --stubs\` adds the missing ones. */
import type { Handlers } from '../../generated/types.ts'
import type { Store } from '../store/store.ts'
${imports.join('')}
export function createHandlers(${members.length === 0 ? '_store' : 'store'}: Store): Handlers {
  return ${list}
}
`
}

const placeOf = ({ folder, file }: HandlerPlan): string => `${folder}/${file}`

export function securityText(schemes: ProjectPlan['securitySchemes']): string {
  const members = Object.entries(schemes).map(
    ([name, scheme]) =>
      `  /** ${commentText(`Is called with ${credentialOf(scheme)}`)}. */\n  ${keyOf(name)}: () => undefined`
  )
  const list = members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`
  const doc =
    members.length === 0
      ? '/** The contract declares no security scheme. */'
      : `/**
 * Judges credentials: a function for each security scheme of the contract. It is called with the credential and
 * \`{ scopes, request }\`, and returns the client, such as \`{ id: 'ada' }\`, which handlers read as \`request.principal\`.
 * It throws \`new FailureError('forbidden')\` for a client that lacks one of the scopes.
 * Each returns undefined until it is written: every client is refused.
 */`
  return `${doc}
import type { SecurityHandlers } from '../generated/types.ts'

export const security: SecurityHandlers = ${list}
`
}

type Scheme = ProjectPlan['securitySchemes'][string]

function credentialOf(scheme: Scheme): string {
  if (scheme.type === 'apiKey') return `the key in the ${scheme.in} ${JSON.stringify(scheme.name)}`
  if (scheme.type === 'mutualTLS') return 'the certificate of the client'
  if (scheme.type !== 'http') return 'the access token of the header Authorization'
  if (scheme.scheme.toLowerCase() === 'basic') return '{ username, password } of the header Authorization'
  return scheme.scheme.toLowerCase() === 'bearer'
    ? 'the token of the header Authorization'
    : 'the credentials of the header Authorization'
}

/** Casts examples whose type is narrower than their schema. */
export async function castResponses(folder: string, { handlers }: ProjectPlan): Promise<void> {
  const responding = handlers.filter(({ response }) => response !== undefined)
  const untyped = untypedResponses(folder, responding.map(handlerFile))
  for (const handler of responding.filter((each) => untyped.has(handlerFile(each))))
    await writeFile(join(folder, handlerFile(handler)), handlerText(handler, ' as never'))
}

const settings: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  types: ['node'],
  // The types of Node lie beside the compiler: the new project is not installed yet.
  typeRoots: [fileURLToPath(new URL('..', import.meta.resolve('@types/node/package.json')))],
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true
}

/**
 * Finds examples that are valid by their schemas but not by the types: types cannot express everything that a schema
 * can.
 * @returns the files in which the type checker finds an error
 */
function untypedResponses(folder: string, files: readonly string[]): ReadonlySet<string> {
  const paths = files.map((file) => join(folder, file))
  const program = ts.createProgram(paths, settings)
  const isWrong = (path: string) => program.getSemanticDiagnostics(program.getSourceFile(path)).length > 0
  return new Set(files.filter((_file, index) => isWrong(String(paths[index]))))
}
