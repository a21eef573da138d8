/** Checks objects that describe: examples, XML, servers, links. What contradicts itself in them is named. */
import { atPointer, componentsOf, resolved } from '../document/reference.ts'
import type { ContractNode } from '../document/walk.ts'
import { arrayOf, isObject, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import { type Reporter, repeated } from './reporter.ts'

export function checkDescriptions(
  document: JsonObject,
  all: readonly ContractNode[],
  reporter: Reporter
): void {
  const nodes = all.filter(({ names }) => names === undefined)
  // A link may lead to an operation of a webhook, too.
  const operations = nodes.filter(({ kind }) => kind !== 'links')
  const operationIds = new Set(operations.map(({ node }) => own(node, 'operationId')))
  checkExamples(componentsOf(document, 'examples'), reporter)
  checkNames(document, reporter)
  for (const { node } of nodes) {
    checkExampleFields(node, reporter)
    checkXml(objectOf(own(node, 'xml')), reporter)
    checkServers(arrayOf(own(node, 'servers')).map(objectOf), reporter)
    for (const link of Object.values(objectOf(own(node, 'links'))))
      checkLink(resolved(document, link), operationIds, document, reporter)
  }
}

/** Checks names of shared media types and path items (section 4.7). */
function checkNames(document: JsonObject, { warn, at }: Reporter): void {
  for (const section of ['mediaTypes', 'pathItems']) {
    const named = componentsOf(document, section)
    for (const name of Object.keys(named).filter((each) => !/^[\w.-]+$/.test(each)))
      warn(`the name ${name} in ${section} has characters other than A-Z a-z 0-9 . - _`, at(named, name))
  }
}

/** Checks the examples of a parameter, a header or a media type; those of a schema are a list. */
function checkExampleFields(node: JsonObject, reporter: Reporter): void {
  const examples = own(node, 'examples')
  if (!isObject(examples)) return
  checkExamples(examples, reporter)
  if (own(node, 'example') !== undefined) reporter.warn(both, reporter.at(node, 'example'))
}

const both = 'example and examples exclude each other: example comes first'

/** Fields of an Example Object that exclude each other (OpenAPI 3.2.0, section 4.19). */
const exclusive = [
  ['value', 'dataValue'],
  ['value', 'serializedValue'],
  ['value', 'externalValue'],
  ['serializedValue', 'externalValue']
] as const

function checkExamples(examples: JsonObject, { warn, at }: Reporter): void {
  for (const [name, value] of Object.entries(examples)) {
    const example = objectOf(value)
    for (const [one, other] of exclusive)
      if (own(example, one) !== undefined && own(example, other) !== undefined)
        warn(`${one} and ${other} of the example ${name} exclude each other`, at(example, one))
  }
}

const nodeTypes: readonly unknown[] = ['element', 'attribute', 'text', 'cdata', 'none']

/** Checks an XML Object (section 4.26). */
function checkXml(xml: JsonObject, { warn, at }: Reporter): void {
  const type = own(xml, 'nodeType')
  const namespace = stringOf(own(xml, 'namespace'))
  if (namespace !== undefined && !URL.canParse(namespace))
    warn(`the XML namespace ${namespace} is not a URI with a scheme`, at(xml, 'namespace'))
  if (type === undefined) return
  if (!nodeTypes.includes(type))
    warn(`nodeType ${String(type)} has no effect: it is one of ${nodeTypes.join(', ')}`, at(xml, 'nodeType'))
  for (const field of ['attribute', 'wrapped'].filter((each) => own(xml, each) !== undefined))
    warn(`${field} has no effect beside nodeType`, at(xml, field))
  if (own(xml, 'name') !== undefined && ['text', 'cdata', 'none'].includes(String(type)))
    warn(`name has no effect: a node of type ${String(type)} has no name`, at(xml, 'name'))
}

/** Checks the servers of one list (sections 4.5 and 4.6). */
function checkServers(servers: readonly JsonObject[], { warn, at }: Reporter): void {
  for (const [server] of repeated(servers, (each) => stringOf(own(each, 'name'))))
    warn(`two servers have the name ${String(own(server, 'name'))}`, at(server, 'name'))
  for (const server of servers) {
    const url = String(own(server, 'url'))
    if (/[?#]/.test(url)) warn(`the URL of a server has no query and no fragment: ${url}`, at(server, 'url'))
    for (const [variable] of repeated(url.match(/\{[^{}]*\}/g) ?? [], (each) => each))
      warn(`the variable ${variable} stands twice in the URL of a server`, at(server, 'url'))
  }
}

/** Checks that a link names one operation, which is there (section 4.20). */
function checkLink(
  link: JsonObject,
  operationIds: ReadonlySet<unknown>,
  document: JsonObject,
  { warn, at }: Reporter
): void {
  const [id, reference] = [own(link, 'operationId'), own(link, 'operationRef')]
  const pointer = String(reference)
  const isThere =
    id === undefined
      ? !pointer.startsWith('#') || isObject(atPointer(document, pointer))
      : operationIds.has(id)
  if ((id === undefined) === (reference === undefined))
    warn('a link has either an operationId or an operationRef', at(link, 'operationId'))
  else if (!isThere) {
    const field = id === undefined ? 'operationRef' : 'operationId'
    warn(`a link leads to no operation: ${String(id ?? reference)}`, at(link, field))
  }
}
