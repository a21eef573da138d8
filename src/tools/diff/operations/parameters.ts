/** Compares parameters, and headers as parameters that are written in the simple style. */
import type { Header, Operation, Origin, Parameter } from '@contract-first/contract'
import { casesOf } from '../schemas/cases.ts'
import {
  type Both,
  both,
  type Difference,
  flagDifferences,
  isKept,
  memberDifferences,
  nowText,
  placed,
  type SchemaChanges,
  type Schemas
} from './difference.ts'
import { schemasOf, writtenAs } from './media-types.ts'
import type { RuleId } from './rules.ts'
import { type Layout, textDifferences } from './texts.ts'

/** A parameter, or a header. */
type Member = Header & Pick<Parameter, 'name' | 'in' | 'style' | 'allowReserved' | 'allowEmptyValue'>
type Members = ReadonlyMap<string, Member>

export const parameterDifferences = (operations: Both<Operation>, changes: SchemaChanges): Difference[] =>
  membersDifferences(both(operations, parametersIn), changes, operations.now.origin.at('parameters'))

/** @param origin place of removed parameters */
const membersDifferences = (parameters: Both<Members>, changes: SchemaChanges, origin: Origin) =>
  memberDifferences(parameters, {
    origin,
    alone: (parameter, _key, verb) => {
      const { in: location, name, required } = parameter
      const label = location === 'header' ? `header ${name}` : `${location} parameter ${name}`
      return {
        rule: `${required ? 'required' : 'optional'}-parameter-${verb}`,
        place: placeOf(parameter),
        name: label,
        ...(verb === 'added' && required && { text: `${label} added, required` })
      }
    },
    changed: (pair) => placed(placeOf(pair.old), parameterChanges(pair, changes))
  })

type Headers = Both<ReadonlyMap<string, Header>>

/** Compares headers that are sent as parameters are, with a part of a form. */
export const partHeaderDifferences = (headers: Headers, changes: SchemaChanges, origin: Origin) =>
  membersDifferences(both(headers, asParameters), changes, origin)

/** Compares the headers of a response. */
export const headerDifferences = (headers: Headers, changes: SchemaChanges, origin: Origin): Difference[] =>
  partHeaderDifferences(headers, changes, origin).map((found) => ({
    ...found,
    rule: headerRule(found.rule)
  }))

const asParameters = (headers: ReadonlyMap<string, Header>): Members =>
  new Map(
    [...headers].map(([name, header]) => {
      const fixed = { in: 'header', style: 'simple', allowReserved: false, allowEmptyValue: false } as const
      return [name.toLowerCase(), { ...header, ...fixed, name }]
    })
  )

/** Returns the rule for a header of a response, by that for a parameter. Rules for texts are those of their sender. */
const headerRule = (rule: RuleId): RuleId =>
  rule
    .replace(/^(required|optional)-parameter-added$/, 'response-header-added')
    .replace(/^parameter-(explode|media-type)-changed$/, 'response-header-serialization-changed')
    .replace(/^(required-|optional-)?parameter-(?!texts)/, '$1response-header-') as RuleId

/** Returns the parameters; path parameters are matched by position, whatever their names. */
export function parametersIn({ path, parameters }: Operation): Map<string, Parameter> {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
  const keyOf = ({ in: location, name }: Parameter) => {
    // The name of a whole query is sent nowhere.
    if (location === 'querystring') return location
    if (location === 'path' && names.includes(name)) return `path ${names.indexOf(name)}`
    return `${location} ${location === 'header' ? name.toLowerCase() : name}`
  }
  return new Map(parameters.map((parameter) => [keyOf(parameter), parameter]))
}

export const placeOf = ({ in: location, name }: Pick<Member, 'in' | 'name'>): string => `${location}/${name}`

const schemasIn = ({ schema, content }: Header): Schemas =>
  schema !== undefined ? [schema] : content === undefined ? [] : schemasOf(content)

const typesOf = ({ old, now }: Both<Schemas>): Set<string> =>
  new Set([...casesOf(old), ...casesOf(now)].map(({ type }) => type))

function parameterChanges(parameters: Both<Member>, changes: SchemaChanges): Difference[] {
  if (isKept(parameters)) return []
  const schemas = both(parameters, schemasIn)
  const origin = parameters.now.origin.at('schema')
  const found = [...serializationDifferences(parameters, schemas), ...changes.changes(schemas, '', origin)]
  const flags = flagDifferences(parameters, parameterFlags, (flag, isSet) => `${flag} now ${isSet}`)
  const { old, now } = both(parameters, layoutOf)
  const isWrittenAlike = isKept(both(parameters, ({ style }) => scalarStyle(style)))
  if (old === undefined || now === undefined || !isWrittenAlike) return [...flags, ...found]
  return [...flags, ...textDifferences(found, { schemas, layouts: { old, now }, place: '', origin }, changes)]
}

interface Written extends Pick<Member, 'explode' | 'content' | 'in'> {
  readonly style: string
}

/** Returns how lists are written; undefined for a parameter that is written as a media type. */
export function layoutOf({ style, explode, content, in: location }: Written): Layout | undefined {
  if (content !== undefined || location === 'querystring') return undefined
  if (explode && !['simple', 'label'].includes(style)) return { delimiter: undefined, isEncoded: true }
  const delimiter = delimiters[style] ?? (style === 'label' && explode ? '.' : ',')
  return { delimiter, isEncoded: location !== 'header' && delimiter === ',' }
}

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

const parameterFlags = [
  ['required', 'parameter-became-required', 'parameter-became-optional'],
  ['allowReserved', 'parameter-reserved-allowed', 'parameter-reserved-refused'],
  ['allowEmptyValue', 'parameter-empty-allowed', 'parameter-empty-refused'],
  ['deprecated', 'parameter-deprecated', 'parameter-undeprecated']
] as const

/** Compares media types and styles. */
function serializationDifferences(parameters: Both<Member>, schemas: Both<Schemas>): Difference[] {
  const { origin } = parameters.now
  const written = both(parameters, ({ content }) => writtenAs(content))
  if (!isKept(written)) {
    const text = `now written as ${written.now} (was ${written.old})`
    return [{ rule: 'parameter-media-type-changed', place: '', text, origin: origin.at('content') }]
  }
  const key = written.old === 'text' ? changedStyle(parameters, typesOf(schemas)) : undefined
  if (key === undefined) return []
  const values = both(parameters, (each) => each[key])
  return [{ rule: `parameter-${key}-changed`, place: '', text: nowText(key, values), origin: origin.at(key) }]
}

/** Returns the keyword that changes how values of some types are written. */
export function changedStyle(
  written: Both<Pick<Written, 'style' | 'explode'>>,
  types: ReadonlySet<string>
): 'style' | 'explode' | undefined {
  const [style, explode] = [both(written, (each) => each.style), both(written, (each) => each.explode)]
  const [hasLists, hasObjects] = [types.has('array'), types.has('object')]
  if (!isKept(style) && (hasLists || hasObjects || !isKept(both(style, scalarStyle)))) return 'style'
  // Not for lists in style `simple`; always for objects, except in `deepObject`.
  const isSeen = (hasLists && style.now !== 'simple') || (hasObjects && style.now !== 'deepObject')
  return isKept(explode) || !isSeen ? undefined : 'explode'
}

/** Maps styles that write a single value in the same way (OpenAPI 3.1.0, section 4.8.12.3) to one. */
const scalarStyle = (style: string): string =>
  ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'].includes(style) ? 'form' : style
