/** Checks what the structure does not show: rules of OpenAPI across objects, and limits of the engine. */
import { type ContractProblem, contractProblem } from '../diagnostics/problem.ts'
import { additional } from '../document/objects.ts'
import { type ContractNode, contractNodes } from '../document/walk.ts'
import type { LoadedContract } from '../load/load.ts'
import type { Operation } from '../model/contract.ts'
import { type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import type { Problem } from '../model/origin.ts'
import { checkDescriptions } from './descriptions.ts'
import { checkListed, checkParameter, checkTogether } from './parameters.ts'
import { checkAdditional, checkMethod, checkPathItem, checkPaths } from './paths.ts'
import { checkReferences } from './references.ts'
import { type Reporter, repeated } from './reporter.ts'
import { checkDiscriminator, checkSchemas } from './schemas.ts'
import { checkSecurity } from './security.ts'
import { checkSelf, checkTags, checkUnserved } from './unserved.ts'

/** Returns every problem in any order; runs before compilation. */
export function checkContract({ document, model, locator }: LoadedContract): ContractProblem[] {
  const problems = [...model.problems]
  const at: Reporter['at'] = (node, ...keys) => locator.origin(Object(node)).at(...keys)
  const reporter = (rule: string): Reporter => {
    const report =
      (severity: Problem['severity']): Reporter['error'] =>
      (message, origin) =>
        problems.push({ severity, rule, message, origin })
    return { error: report('error'), warn: report('warning'), at }
  }
  checkOperationIds(model.operations, reporter('operation-id'))
  checkPaths(model, reporter('path'))
  checkSecurity(model, reporter('security'))
  checkSchemas(model, reporter('schema'))
  const is32 = String(own(document, 'openapi')).startsWith('3.2')
  for (const schema of model.schemas) checkDiscriminator(schema, is32, reporter('reference'))
  for (const operation of model.operations) {
    checkMethod(operation, reporter('method'))
    checkTogether(operation, model, reporter('parameter'))
    const { method, path, responses, origin } = operation
    const silent = `${method} ${path} declares no response: whatever its handler returns, the answer is 500`
    // The model has the responses with statuses.
    if (responses.size === 0) reporter('response').warn(silent, origin.at('responses'))
  }
  // What the model leaves out, and what has no effect, is found in the document.
  const nodes = [...contractNodes(document)]
  const [name, reference, unserved] = [reporter('name'), reporter('reference'), reporter('unserved')]
  const parameter = reporter('parameter')
  for (const each of nodes) {
    const { node, names, kind } = each
    checkNames(each, name)
    checkReferences(each, document, reference)
    checkUnserved(each, document, unserved)
    if (names === additional) checkAdditional(node, reporter('method'))
    if (kind === 'paths' || kind === 'pathItems') checkPathItem(node, reporter('path'))
    if (names !== undefined) continue
    const listed = own(node, 'parameters')
    if (listed !== undefined) checkListed(listed, document, parameter)
    checkParameter(node, parameter)
  }
  checkSelf(document, reporter('unserved'))
  checkTags(model.tags, reporter('unserved'))
  checkDescriptions(document, nodes, reporter('description'))
  return problems.map(contractProblem)
}

/**
 * Names that no operation can have: `await` takes a module, a client or handlers with a member `then` for a promise
 * (ECMA-262, section 27.2.1.3.2), and generated modules export `$build`.
 */
const takenIds: ReadonlyMap<string, string> = new Map([
  ['then', '`await` calls a method of this name'],
  ['$build', 'the generated code exports this name']
])

/** Checks operationIds: they name the handlers, so that each must be unique. */
function checkOperationIds(operations: readonly Operation[], { error, warn }: Reporter): void {
  for (const [{ id, origin }, { method, path }] of repeated(operations, (operation) => operation.id))
    error(`operationId ${id} is used twice: by ${method} ${path} too`, origin.at('operationId'))
  for (const { id, isNamed, method, path, origin } of operations) {
    const reason = takenIds.get(id)
    if (reason !== undefined) {
      const message = `operationId ${id} is taken, because ${reason}: choose another one`
      error(message, origin.at('operationId'))
    }
    const cure = `it is named ${id}; to name it, add: operationId: ${id}`
    if (!isNamed) warn(`${method} ${path} has no operationId: ${cure}`, origin)
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
function checkNames({ node, names }: ContractNode, { error, at }: Reporter): void {
  const check = (name: string, what: string, holder: JsonObject, key: string) => {
    if (unreadable.test(name)) error(`${what} has a control character`, at(holder, key))
  }
  for (const name of namedParts.has(names) ? Object.keys(node) : [])
    check(name, `the name ${name} in ${names}`, node, name)
  if (names !== undefined) return
  const schemes = objectOf(own(node, 'securitySchemes'))
  for (const name of Object.keys(schemes)) check(name, `the name of security scheme ${name}`, schemes, name)
  // Operations; parameters, API keys, tags.
  for (const [key, what] of [
    ['operationId', 'operationId'],
    ['name', 'the name']
  ] as const) {
    const name = stringOf(own(node, key)) ?? ''
    check(name, `${what} ${name}`, node, key)
  }
}
