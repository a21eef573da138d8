/** Compares the parameters of an operation. */
import { own, type Parameter, parametersOf, stringOf, stylesIn } from '../../compile/documents.ts'
import type { Layout } from '../cases/text-layout.ts'
import { type Both, both, type Draft, memberDrafts, nowText, type OperationPart, placed } from './draft.ts'
import { writtenAs } from './media-types.ts'
import type { RuleId } from './rules.ts'
import type { SchemaChanges } from './schema-changes.ts'
import { textDrafts } from './text-drafts.ts'

export function parameterDrafts(pair: Both<OperationPart>, schemas: SchemaChanges): Draft[] {
  const parameters = both(pair, parametersIn)
  return parametersDrafts(parameters, schemas, { node: pair.now.node, key: 'parameters' })
}

/** @param spot place of removed parameters */
export function parametersDrafts(
  parameters: Both<ReadonlyMap<string, Parameter>>,
  schemas: SchemaChanges,
  spot: Draft['spot']
): Draft[] {
  return memberDrafts(parameters, {
    removed: (parameter) => ({
      rule: parameter.required ? 'required-parameter-removed' : 'optional-parameter-removed',
      place: placeOf(parameter),
      text: `${parameter.in} parameter ${parameter.name} is gone`,
      spot
    }),
    added: (parameter) => ({
      rule: parameter.required ? 'required-parameter-added' : 'optional-parameter-added',
      place: placeOf(parameter),
      text: `${parameter.in} parameter ${parameter.name} added${parameter.required ? ', required' : ''}`,
      spot: { node: parameter.node, key: 'name' }
    }),
    changed: (pair) =>
      schemas.isUnchanged(both(pair, ({ node }) => node)) ? [] : parameterChanges(pair, schemas)
  })
}

/** Returns the parameters; path parameters are matched by position, whatever their names. */
export function parametersIn({ document, pathItem, node, path }: OperationPart): Map<string, Parameter> {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
  const keyOf = ({ in: location, name }: Parameter) => {
    // The name of a whole query is sent nowhere.
    if (location === 'querystring') return location
    if (location === 'path' && names.includes(name)) return `path ${names.indexOf(name)}`
    return `${location} ${location === 'header' ? name.toLowerCase() : name}`
  }
  const parameters = parametersOf(document, pathItem, node)
  return new Map(parameters.map((parameter) => [keyOf(parameter), parameter]))
}

export const placeOf = ({ in: location, name }: Parameter): string => `${location}/${name}`

function parameterChanges(parameters: Both<Parameter>, schemas: SchemaChanges): Draft[] {
  const place = placeOf(parameters.old)
  const pair = both(parameters, ({ schema }) => schema)
  const spot = { node: parameters.now.node, key: 'schema' }
  const found = [
    ...placed(place, serializationDrafts(parameters, schemas.typesOf(pair))),
    ...schemas.changes({ ...pair, place, spot })
  ]
  const flags = placed(place, flagDrafts(parameters))
  const layouts = both(parameters, layoutOf)
  if (layouts.old === undefined || layouts.now === undefined || !isWrittenAlike(parameters))
    return [...flags, ...found]
  const texts = { schemas: pair, layouts: { old: layouts.old, now: layouts.now }, place, spot }
  return [...flags, ...textDrafts(found, texts, schemas)]
}

const isWrittenAlike = (parameters: Both<Parameter>): boolean => {
  const style = both(parameters, (parameter) => scalarStyle(styleOf(parameter)))
  return style.old === style.now
}

/** Returns how lists are written; undefined for a parameter that is written as a media type. */
function layoutOf(parameter: Parameter): Layout | undefined {
  if (writtenAs(parameter.node) !== 'text' || parameter.in === 'querystring') return undefined
  const style = styleOf(parameter)
  const hasExplode = isExploded(parameter)
  if (hasExplode && ['form', 'cookie', 'matrix', 'spaceDelimited', 'pipeDelimited'].includes(style))
    return { delimiter: undefined, isEncoded: true }
  const delimiter = delimiters[style] ?? (style === 'label' && hasExplode ? '.' : ',')
  return { delimiter, isEncoded: parameter.in !== 'header' && delimiter === ',' }
}

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

/** Boolean members, each with the rule for a change to true and the rule for a change to false. */
const flagRules = [
  ['required', 'parameter-became-required', 'parameter-became-optional'],
  ['allowReserved', 'parameter-reserved-allowed', 'parameter-reserved-refused'],
  ['allowEmptyValue', 'parameter-empty-allowed', 'parameter-empty-refused'],
  ['deprecated', 'parameter-deprecated', 'parameter-undeprecated']
] as const

const flagDrafts = (parameters: Both<Parameter>): Draft[] =>
  flagRules.flatMap(([flag, set, unset]) => {
    const is = both(parameters, ({ node, required }) =>
      flag === 'required' ? required : own(node, flag) === true
    )
    if (is.old === is.now) return []
    const spot = { node: parameters.now.node, key: flag }
    return [{ rule: is.now ? set : unset, place: '', text: `${flag} now ${is.now}`, spot }]
  })

/** Compares styles; a change matters only if it changes the text of one of the types. */
function serializationDrafts(parameters: Both<Parameter>, types: ReadonlySet<string>): Draft[] {
  const draft = (rule: RuleId, key: string, text: string): Draft[] => [
    { rule, place: '', text, spot: { node: parameters.now.node, key } }
  ]
  const written = both(parameters, ({ node }) => writtenAs(node))
  if (written.old !== written.now)
    return draft(
      'parameter-media-type-changed',
      'content',
      `now written as ${written.now} (was ${written.old})`
    )
  if (written.old !== 'text') return []
  const style = both(parameters, styleOf)
  const scalar = both(style, scalarStyle)
  if (style.old !== style.now && (types.has('array') || types.has('object') || scalar.old !== scalar.now))
    return draft('parameter-style-changed', 'style', nowText('style', style))
  const explode = both(parameters, isExploded)
  if (explode.old === explode.now || !isExplodeSeen(style.now, types)) return []
  return draft('parameter-explode-changed', 'explode', nowText('explode', explode))
}

function styleOf({ node, in: location }: Parameter): string {
  return stringOf(own(node, 'style')) ?? stylesIn[location][0]
}

function isExploded(parameter: Parameter): boolean {
  const written = own(parameter.node, 'explode')
  return written === undefined ? ['form', 'cookie'].includes(styleOf(parameter)) : written === true
}

/** Maps styles that write a single value in the same way (OpenAPI 3.1.0, section 4.8.12.3) to one. */
const scalarStyle = (style: string): string =>
  ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'].includes(style) ? 'form' : style

/**
 * Returns whether `explode` changes the text: not for lists in style `simple`; always for objects, except in
 * `deepObject`.
 */
function isExplodeSeen(style: string, types: ReadonlySet<string>): boolean {
  return (types.has('array') && style !== 'simple') || (types.has('object') && style !== 'deepObject')
}
