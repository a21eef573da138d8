/** Checks what the structure does not show: rules of OpenAPI across objects, and limits of the engine. */
import type { ContractProblem } from '../diagnostics/problem.ts'
import { isStatus, type OperationNode, operationNodes } from '../document/operation-objects.ts'
import { componentsOf } from '../document/reference.ts'
import type { LoadedContract } from '../load/load.ts'
import { type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import { checkDescriptions } from './descriptions.ts'
import { checkParameters } from './parameters.ts'
import { checkMethods, checkPaths } from './paths.ts'
import { checkReferenceKinds, checkReferences } from './references.ts'
import { type Reporter, repeated, reportersInto } from './reporter.ts'
import { checkSchemaPlaces, checkSchemas } from './schemas.ts'
import { checkCookies, checkScopes, checkSecurity, checkSharedHeader } from './security.ts'
import { checkUnserved } from './unserved.ts'

/** Fields of a Response Object: among the statuses they indicate a wrongly indented response. */
const fields: ReadonlySet<string> = new Set(['description', 'headers', 'content', 'links'])

function checkResponses({ method, path, node }: OperationNode, { error, warn }: Reporter): void {
  const responses = own(node, 'responses')
  const names = Object.keys(objectOf(responses)).filter((name) => !name.startsWith('x-'))
  for (const name of names.filter((other) => !isStatus(other))) {
    if (fields.has(name))
      error(`${name} stands among the statuses; it belongs into a response`, responses, name)
    else warn(`${method} ${path} cannot answer with status ${name}`, responses, name)
  }
  const message = `${method} ${path} declares no response: whatever its handler returns, the answer is 500`
  if (!names.some(isStatus)) warn(message, node, 'responses')
}

/** Returns every problem in any order; runs before compilation. */
export function checkContract(contract: LoadedContract): ContractProblem[] {
  const { document, locator } = contract
  const problems: ContractProblem[] = []
  const reporter = reportersInto(problems, document, locator)
  const operations = operationNodes(document)
  checkOperationIds(operations, reporter('operation-id'))
  checkNames(document, reporter('name'))
  checkPaths(document, operations, reporter('path'))
  checkMethods(operations, reporter('method'))
  const [ofParameters, ofResponses] = [reporter('parameter'), reporter('response')]
  for (const operation of operations) {
    checkParameters(operation, document, ofParameters)
    checkResponses(operation, ofResponses)
  }
  checkSecurity(document, operations, reporter('security'))
  checkScopes(document, reporter('security'))
  checkCookies(document, operations, reporter('security'))
  checkSharedHeader(document, reporter('security'))
  checkReferences(contract, reporter('reference'))
  checkReferenceKinds(document, operations, reporter('reference'))
  checkSchemaPlaces(reporter('schema'))
  checkSchemas(contract, reporter('schema'))
  checkUnserved(document, reporter('unserved'))
  checkDescriptions(document, reporter('description'))
  return problems
}

/**
 * Names that no operation can have: `await` takes a module, a client or handlers with a member `then` for a promise
 * (ECMA-262, section 27.2.1.3.2), and generated modules export `$build`.
 */
const takenIds: ReadonlyMap<string, string> = new Map([
  ['then', '`await` calls a method of this name'],
  ['$build', 'the generated code exports this name']
])

/** Checks operationIds: they name the handlers, so that each must be unique (load/ names operations without one). */
function checkOperationIds(operations: readonly OperationNode[], { error }: Reporter): void {
  const idOf = ({ node }: OperationNode) => String(own(node, 'operationId'))
  for (const [operation, { method, path }] of repeated(operations, idOf)) {
    const message = `operationId ${idOf(operation)} is used twice: by ${method} ${path} too`
    error(message, operation.node, 'operationId')
  }
  for (const operation of operations) {
    const reason = takenIds.get(idOf(operation))
    if (reason === undefined) continue
    const message = `operationId ${idOf(operation)} is taken, because ${reason}: choose another one`
    error(message, operation.node, 'operationId')
  }
}

/** Members whose names are names of parts; names of properties may be any text. */
const namedParts: ReadonlySet<string | undefined> = new Set([
  ...['paths', 'webhooks', 'content', 'headers', 'callbacks', 'pathItems'],
  ...['schemas', 'responses', 'parameters', 'requestBodies']
])

/** Control characters, line separators and halves of a surrogate pair (Unicode, general categories). */
const unreadable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u

/** Checks names for characters that no name can have, because nobody could read or send it. */
function checkNames(document: JsonObject, { error, nodes }: Reporter): void {
  const check = (what: string, name: string | undefined, node: JsonObject, key: string) => {
    if (name !== undefined && unreadable.test(name)) error(`${what} has a control character`, node, key)
  }
  const schemes = componentsOf(document, 'securitySchemes')
  for (const name of Object.keys(schemes)) check(`the name of security scheme ${name}`, name, schemes, name)
  for (const { node, names } of nodes) {
    if (namedParts.has(names))
      for (const name of Object.keys(node)) check(`the name ${name} in ${names}`, name, node, name)
    if (names !== undefined) continue
    check(`operationId ${own(node, 'operationId')}`, stringOf(own(node, 'operationId')), node, 'operationId')
    // Parameters, API keys, tags.
    check(`the name ${own(node, 'name')}`, stringOf(own(node, 'name')), node, 'name')
  }
}
