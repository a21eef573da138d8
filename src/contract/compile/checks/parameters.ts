/** What is wrong with the parameters of an operation as they are written (OpenAPI 3.1.0, section 4.8.12). */
import { arrayOf, isObject, type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import { type Parameter, parametersOf, stylesIn } from '../document/parameter-objects.ts'
import { dereference } from '../document/reference.ts'

type Report = (message: string, node: unknown, key?: string) => void

export function checkParameters(
  { method, path, pathItem, node }: OperationNode,
  document: JsonObject,
  { report, warn }: { readonly report: Report; readonly warn: Report }
): void {
  for (const list of [own(node, 'parameters'), own(pathItem, 'parameters')])
    checkHeaderNames(
      arrayOf(list).map((item) => objectOf(dereference(document, item))),
      report
    )
  for (const parameter of parametersOf(document, pathItem, node)) {
    checkContent(parameter, report)
    checkStyle(parameter, warn)
    if (parameter.in === 'path' && own(parameter.node, 'required') !== true)
      warn(
        `path parameter ${parameter.name} is always required: ${method} ${path}`,
        parameter.node,
        'required'
      )
  }
}

/** RFC 9110, section 5.1: names of headers are one whatever their letter case. */
function checkHeaderNames(parameters: readonly JsonObject[], report: Report): void {
  const seen = new Set<string>()
  for (const parameter of parameters) {
    const name = stringOf(own(parameter, 'name'))?.toLowerCase()
    if (name === undefined || own(parameter, 'in') !== 'header') continue
    if (seen.has(name)) report(`header ${name} is declared twice`, parameter, 'name')
    seen.add(name)
  }
}

function checkContent({ name, node }: Parameter, report: Report): void {
  const content = own(node, 'content')
  if (!isObject(content)) return
  if (own(node, 'schema') !== undefined)
    report(`parameter ${name} has a schema and a content; OpenAPI wants one of them`, node, 'content')
  if (Object.keys(objectOf(content)).length !== 1)
    report(`the content of parameter ${name} must have one media type`, node, 'content')
}

function checkStyle({ name, node, in: place }: Parameter, warn: Report): void {
  const style = stringOf(own(node, 'style'))
  const [standard = '', ...others] = stylesIn[place]
  if (style === undefined || style === standard || others.includes(style)) return
  warn(`style ${style} is not for ${place} parameters: ${name} is read in style ${standard}`, node, 'style')
}
