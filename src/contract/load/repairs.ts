/**
 * Repairs members of any object: those that are null, and those beside a reference; and keywords of a schema that are
 * written for another version of OpenAPI, an earlier draft of JSON Schema or another language of patterns.
 */
import { additional, methods, typesOf } from '../document/objects.ts'
import { translatePattern } from '../document/translate-pattern.ts'
import { define, isObject, type Json, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import { hasContractName } from './contract-folder.ts'

interface RepairedNode {
  readonly node: JsonObject
  /** Name of its type (node-types.ts). */
  readonly type: string
  /** Key of the node in the one that holds it. */
  readonly key: string | undefined
}

interface Flaw {
  /** Member that has the flaw. */
  readonly key: string
  readonly message: string
}

/**
 * Repairs a node in place, and returns what was wrong.
 * @param is30 true for schemas in the dialect of OpenAPI 3.0 (OpenAPI 3.0.3, section 4.7.24)
 */
export function repairNode(repaired: RepairedNode, is30: boolean): Flaw[] {
  const { node, type } = repaired
  const flaws = Object.hasOwn(node, '$ref') ? dropSiblings(repaired, is30) : []
  // What is null is absent for the others.
  if (Object.values(node).includes(null)) flaws.push(...repairNulls(repaired))
  flaws.push(...texts(repaired))
  for (const { members, repair } of type === 'Schema' ? repairs : [])
    if (members.some((key) => Object.hasOwn(node, key))) flaws.push(...repair(repaired, is30))
  return flaws
}

/** Members whose absence changes the meaning of a contract: null is not removed, and structure.ts reports it. */
const decisive: ReadonlySet<string> = new Set([
  ...methods,
  additional,
  ...['openapi', 'info', 'paths', 'responses', 'requestBody', 'content', 'schema', 'security'],
  ...['$ref', 'in', 'name', 'scheme', 'items']
])

/** Members that hold data, in which null is a value. */
const data: ReadonlySet<string> = new Set(['default', 'example', 'examples', 'const', 'enum', 'value'])

/** Removes members that are null although OpenAPI allows no null: many tools write null for an absent member. */
function repairNulls(repaired: RepairedNode): Flaw[] {
  const { node, type } = repaired
  const empty = Object.keys(node).filter(
    (key) => node[key] === null && !data.has(key) && !key.startsWith('x-')
  )
  return empty.flatMap((key) => {
    const meant = meaningOf(key, type)
    if (meant === undefined) return []
    if (meant.value === undefined) Reflect.deleteProperty(node, key)
    else define(node, key, meant.value)
    return [{ key, message: `\`${key}\` is null: it is read as ${meant.text}` }]
  })
}

interface Meaning {
  readonly value?: Json
  readonly text: string
}

function meaningOf(key: string, type: string): Meaning | undefined {
  // A requirement without its scheme would admit every client.
  if (type === 'SecurityRequirement') return { value: [], text: 'no scopes' }
  if (type === 'Scopes') return { value: '', text: 'no description' }
  // Null as a member that the author names is no absent one.
  if (type === 'Responses' || type === 'Paths' || type === 'Callback' || type === 'Mapping') return undefined
  if (key === 'scopes') return { value: {}, text: 'no scopes' }
  if (key === 'type') return { value: 'null', text: "type 'null'" }
  return decisive.has(key) ? undefined : { text: 'absent' }
}

/** Members that describe the place of the reference; their meaning does not depend on its target. */
const kept: ReadonlySet<string> = new Set(['$ref', 'summary', 'description', 'readOnly', 'writeOnly'])

const components =
  /^#\/components\/(parameters|responses|requestBodies|headers|links|callbacks|securitySchemes|mediaTypes)\//

/**
 * Drops members beside a `$ref`, which a Reference Object ignores (OpenAPI 3.0.3, section 4.7.23; 3.1.0, section
 * 4.8.23), so that no reader of the document takes them for constraints. Since 3.1 those of schemas apply.
 */
function dropSiblings({ node, type }: RepairedNode, is30: boolean): Flaw[] {
  // A Path Item has a `$ref` of its own (OpenAPI 3.1.0, section 4.8.9).
  if (type === 'PathItem') return []
  const reference = stringOf(own(node, '$ref'))
  if (reference === undefined || !(is30 || components.test(reference))) return []
  const ignored = Object.keys(node).filter((key) => !kept.has(key) && !key.startsWith('x-'))
  for (const key of ignored) Reflect.deleteProperty(node, key)
  return ignored.map((key) => ({ key, message: messageOf(key, is30) }))
}

function messageOf(key: string, is30: boolean): string {
  const version = is30 ? ' in OpenAPI 3.0' : ''
  const cure = is30 ? `: write allOf: [{ $ref }] with \`${key}\` beside it` : ''
  return `\`${key}\` beside a $ref has no effect${version}${cure}`
}

/** Drops texts by reference to a file that is no YAML and no JSON: OpenAPI has no references there, and no such file is read. */
function texts({ node }: RepairedNode): Flaw[] {
  return ['description', 'summary'].flatMap((key) => {
    const reference = stringOf(own(objectOf(own(node, key)), '$ref'))
    const [file = ''] = reference?.split('#') ?? []
    if (reference === undefined || file === '' || (hasContractName(file) && !/^\w+:/.test(file))) return []
    define(node, key, '')
    return [
      { key, message: `\`${key}\` is a $ref to ${reference}, which is not read: write the text itself` }
    ]
  })
}

function type({ node }: RepairedNode, is30: boolean): Flaw[] {
  const written = own(node, 'type')
  const key = 'type'
  if (Array.isArray(written) && written.includes(null)) {
    define(
      node,
      key,
      written.map((item) => item ?? 'null')
    )
    return [{ key, message: "null in `type` is read as 'null'" }]
  }
  if (!is30) return []
  if (Array.isArray(written))
    return [{ key, message: '`type` is a list, which OpenAPI 3.0 has not: it is read as in OpenAPI 3.1' }]
  return written === 'null'
    ? [{ key, message: "type 'null' is not of OpenAPI 3.0: it is read as in OpenAPI 3.1" }]
    : []
}

function required({ node, key: name }: RepairedNode): Flaw[] {
  const key = 'required'
  const written = own(node, key)
  if (Array.isArray(written)) {
    const unique = [...new Set(written)]
    if (unique.length === written.length) return []
    const again = written.find((name, index) => name !== unique[index])
    define(node, key, unique)
    return [{ key, message: `\`required\` lists ${String(again)} twice` }]
  }
  // A parameter or header that stands among the schemas has its own `required`.
  const isOther = ['in', 'content', 'schema', '$ref'].some((member) => own(node, member) !== undefined)
  if (typeof written !== 'boolean' || isOther) return []
  Reflect.deleteProperty(node, key)
  const cure = `list ${name} in \`required\` of the schema that has the property`
  return [{ key, message: `\`required: ${written}\` has no effect in a schema: ${cure}` }]
}

function nullable({ node }: RepairedNode, is30: boolean): Flaw[] {
  const key = 'nullable'
  const written = own(node, key)
  if (is30 || written === undefined) return []
  Reflect.deleteProperty(node, key)
  const types = typesOf(node).join(', ')
  const cure = types === '' ? "add type 'null'" : `write type: [${types}, 'null']`
  const message = `\`nullable\` has no effect since OpenAPI 3.1${written ? `: ${cure}` : ''}`
  return [{ key, message }]
}

function bounds({ node }: RepairedNode, is30: boolean): Flaw[] {
  return ['exclusiveMinimum', 'exclusiveMaximum'].flatMap((key) => {
    const written = own(node, key)
    if (is30 && (typeof written === 'number' || typeof written === 'bigint'))
      return [
        { key, message: `\`${key}\` is a number, which OpenAPI 3.0 has not: it is read as in OpenAPI 3.1` }
      ]
    return !is30 && typeof written === 'boolean'
      ? [{ key, message: `\`${key}: ${written}\` is of OpenAPI 3.0: it is read as there` }]
      : []
  })
}

/** Matches a literal of JavaScript, in which nothing can stand before the beginning or behind the end of a text. */
const delimited = /^\/(?<bare>\^.*|.*(?<!\\)\$)\/[dgimsuvy]*$/s

function pattern({ node }: RepairedNode): Flaw[] {
  const key = 'pattern'
  const written = own(node, key)
  if (typeof written !== 'string') return []
  const translated = translatePattern(written)
  const bare = delimited.exec(written)?.groups?.['bare']
  if (bare !== undefined)
    return [
      { key, message: `pattern ${written} fits no text: the slashes belong to it; without them: ${bare}` }
    ]
  if (translated === written) return []
  if (translated === undefined) Reflect.deleteProperty(node, key)
  else define(node, key, translated)
  return [{ key, message: unreadable(written, translated) }]
}

function patternProperties({ node }: RepairedNode): Flaw[] {
  const key = 'patternProperties'
  const written = own(node, key)
  if (!isObject(written)) return []
  const entries = Object.entries(written).map(([source, schema]) => ({
    source,
    translated: translatePattern(source),
    schema
  }))
  const wrong = entries.filter(({ source, translated }) => source !== translated)
  if (wrong.length === 0) return []
  // Any name may match an unreadable pattern, so that no property counts as additional.
  const repaired = entries.map(({ translated, schema }) => [
    translated ?? '',
    translated === undefined || schema
  ])
  define(node, key, Object.fromEntries(repaired) as Record<string, Json>)
  return wrong.map(({ source, translated }) => ({ key, message: unreadable(source, translated) }))
}

/** Repairs of schemas in their order, each for those that have one of the members. */
const repairs: readonly {
  readonly members: readonly string[]
  readonly repair: (repaired: RepairedNode, is30: boolean) => Flaw[]
}[] = [
  { members: ['type'], repair: type },
  { members: ['required'], repair: required },
  { members: ['nullable'], repair: nullable },
  { members: ['exclusiveMinimum', 'exclusiveMaximum'], repair: bounds },
  { members: ['pattern'], repair: pattern },
  { members: ['patternProperties'], repair: patternProperties }
]

/** Handles patterns that are not ECMA-262: they are translated when that is exact, otherwise they are not enforced. */
function unreadable(written: string, translated: string | undefined): string {
  const problem = `pattern ${written} is no regular expression of ECMA-262`
  return `${problem}: it is ${translated === undefined ? 'not enforced' : `read as ${translated}`}`
}
