/** What breaks OpenAPI, or could not be served as it is written: each is refused here, before anything is compiled. */
import { templateLiterals, templateNames } from '../../model/path-template.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { mappingPointer } from '../document/discriminator-object.ts'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringOf
} from '../document/json-value.ts'
import { isStatus, methods, type OperationNode, operationNodes } from '../document/operation-objects.ts'
import { parameterNodes, parametersOf } from '../document/parameter-objects.ts'
import { dereference, endOf, pointerOf } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import type { LoadedContract } from '../load/load.ts'
import { checkParameters } from './parameters.ts'

type Report = (message: string, node: unknown, key?: string) => void

export function checkContract(contract: LoadedContract): ContractProblem[] {
  const problems: ContractProblem[] = []
  const report: Report = (message, node, key) =>
    problems.push(contract.locator.problem('error', message, node, key))
  const operations = operationNodes(contract.document)
  checkOperationIds(operations, report)
  const warn: Report = (message, node, key) =>
    problems.push(contract.locator.problem('warning', message, node, key))
  checkPaths(contract, operations, warn)
  for (const operation of operations) {
    checkTemplate(operation.path, contract.document, report)
    checkSameRoute(operation, operations, contract.document, report)
    checkPathParameters(operation, contract.document, report)
    checkPlaces(operation, contract.document, report)
    checkSecurity(own(operation.node, 'security'), contract.document, report)
    checkParameters(operation, contract.document, { report, warn })
    checkStatuses(operation, warn)
  }
  checkMethods(contract.document, report)
  checkSecurity(own(contract.document, 'security'), contract.document, report)
  checkNodes(operations, contract.document, { report, warn })
  return problems
}

function checkOperationIds(operations: readonly OperationNode[], report: Report): void {
  const seen = new Map<string, OperationNode>()
  for (const operation of operations) {
    const id = stringOf(own(operation.node, 'operationId'))
    const earlier = id === undefined ? undefined : seen.get(id)
    const name = `${operation.method} ${operation.path}`
    if (id === undefined || id === '')
      report(`${name} needs an operationId: it is the name of its handler`, operation.node)
    else if (earlier !== undefined) {
      report(
        `operationId ${id} is used twice: by ${earlier.method} ${earlier.path} too`,
        operation.node,
        'operationId'
      )
    } else seen.set(id, operation)
  }
}

/** OpenAPI 3.1.0, section 4.8.8. */
function checkTemplate(path: string, document: JsonObject, report: Report): void {
  const paths = own(document, 'paths')
  if (!path.startsWith('/')) report(`path ${path} must begin with a slash`, paths, path)
  if (templateLiterals(path).some((text) => /[{}]/.test(text)))
    report(`path ${path} has a brace without its other half`, paths, path)
  if (decoded(path) === undefined) report(`path ${path} has a % that encodes no character`, paths, path)
}

const anonymous = (path: string) => templateLiterals(path).join('\0')

/** RFC 3986, section 2.1; undefined where a percent-encoding is none, or not of UTF-8. */
function decoded(path: string): string | undefined {
  try {
    return decodeURI(path)
  } catch {
    return undefined
  }
}

/** OpenAPI 3.1.0, section 4.8.8: paths that differ only by parameter names are identical; their methods must not meet. */
function checkSameRoute(
  operation: OperationNode,
  all: readonly OperationNode[],
  document: JsonObject,
  report: Report
): void {
  const route = decoded(anonymous(operation.path))
  if (route === undefined) return
  const twin = all.find(
    ({ path, method }) => method === operation.method && decoded(anonymous(path)) === route
  )
  if (twin === undefined || twin.path === operation.path) return
  const difference = 'only by parameter names or percent-encoding'
  const message = `path ${operation.path} differs from ${twin.path} ${difference}, and both have ${operation.method}`
  report(message, own(document, 'paths'), operation.path)
}

/** Of a path item's fields only methods have responses (OpenAPI 3.1.0, section 4.8.9): a misspelt one would be lost. */
function checkMethods(document: JsonObject, report: Report): void {
  for (const item of Object.values(objectOf(own(document, 'paths')))) {
    const pathItem = dereference(document, item) ?? {}
    for (const [name, value] of Object.entries(pathItem)) {
      const isOperation = isObject(value) && own(value, 'responses') !== undefined && !name.startsWith('x-')
      if (isOperation && !methods.some((method) => method === name))
        report(`${name} is no method of OpenAPI`, pathItem, name)
    }
  }
}

function checkStatuses({ method, path, node }: OperationNode, warn: Report): void {
  const responses = own(node, 'responses')
  for (const status of Object.keys(objectOf(responses)))
    if (!status.startsWith('x-') && !isStatus(status))
      warn(`${method} ${path} can not answer with status ${status}`, responses, status)
}

function checkPaths(contract: LoadedContract, operations: readonly OperationNode[], warn: Report): void {
  const seen = new Map<string, string>()
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const stray = /[?#]/.exec(templateLiterals(path).join(''))
    if (stray !== null)
      warn(
        `path ${path} has a ${stray[0]}, where the path of a URL ends: no request can reach it`,
        own(contract.document, 'paths'),
        path
      )
    const twin = seen.get(anonymous(path))
    const message = `path ${path} differs from ${twin} only by parameter names; as their methods differ, both are served`
    if (twin !== undefined) warn(message, own(contract.document, 'paths'), path)
    else seen.set(anonymous(path), path)
  }
}

function checkPathParameters(
  { path, method, pathItem, node }: OperationNode,
  document: JsonObject,
  report: Report
): void {
  const inPath = templateNames(path)
  const declared = parametersOf(document, pathItem, node).filter((parameter) => parameter.in === 'path')
  for (const name of inPath) {
    if (!declared.some((parameter) => parameter.name === name)) {
      report(`${method} ${path} does not declare its path parameter ${name}`, node)
    }
  }
  for (const parameter of declared) {
    if (!inPath.includes(parameter.name)) {
      report(`path parameter ${parameter.name} is not in the path ${path}`, parameter.node, 'name')
    }
  }
  if (new Set(inPath).size < inPath.length)
    report(`a path parameter stands twice in ${path}`, own(document, 'paths'), path)
}

/** OpenAPI 3.2.0, section 4.12.1: one parameter that is the whole query. */
function checkPlaces({ pathItem, node }: OperationNode, document: JsonObject, report: Report): void {
  for (const parameter of parameterNodes(document, pathItem, node)) {
    if (own(parameter, 'in') === 'querystring')
      report('parameters in querystring are not supported: declare each one in query', parameter, 'in')
  }
}

function checkSecurity(value: Json | undefined, document: JsonObject, report: Report): void {
  const schemes = objectOf(own(objectOf(own(document, 'components')), 'securitySchemes'))
  for (const requirement of arrayOf(value)) {
    for (const name of Object.keys(objectOf(requirement))) {
      if (dereference(document, own(schemes, name)) === undefined) {
        report(`security scheme ${name} is not declared in components/securitySchemes`, requirement, name)
      }
    }
  }
}

/** What may be wrong wherever it stands; the security of webhooks and callbacks, which are not served, can do no harm. */
function checkNodes(
  operations: readonly OperationNode[],
  document: JsonObject,
  { report, warn }: { readonly report: Report; readonly warn: Report }
): void {
  const served = new Set([document, ...operations.map(({ node }) => node)])
  for (const { node, names } of contractNodes(document)) {
    if (names !== undefined) continue
    checkNode(node, document, report, warn)
    if (!served.has(node)) checkSecurity(own(node, 'security'), document, warn)
  }
}

/** References that lead nowhere or round in a circle, and discriminators that name no schema. */
function checkNode(node: JsonObject, document: JsonObject, report: Report, warn: Report): void {
  const reference = stringOf(own(node, '$ref'))
  if (reference !== undefined && (pointerOf(node) === undefined || !resolves(document, node)))
    report(`${reference} can not be resolved`, node, '$ref')
  const mapping = objectOf(own(objectOf(own(node, 'discriminator')), 'mapping'))
  for (const [value, target] of Object.entries(mapping)) {
    if (mappingPointer(document, target) === undefined)
      warn(`no schema ${String(target)} to map ${value} to: all alternatives are tried`, mapping, value)
  }
}

/** To an object, or to a schema that is `true` or `false`. */
function resolves(document: JsonObject, node: JsonObject): boolean {
  const end = endOf(document, node)
  return isObject(end) || typeof end === 'boolean'
}
