/** Compares the parameters of an operation. */
import {
  type Json,
  type JsonObject,
  objectOf,
  own,
  type Parameter,
  parametersOf,
  stringOf,
  stylesIn
} from '../../compile/documents.ts'
import type { Spot } from '../schemas/finding.ts'
import type { Both, Draft, OperationPart } from './draft.ts'
import { mediaTypeName } from './media-types.ts'
import { parameterNames } from './operation-pairs.ts'
import type { SchemaChanges } from './schema-changes.ts'

export function parameterDrafts({ old, now }: Both<OperationPart>, schemas: SchemaChanges): Draft[] {
  const [before, after] = [parametersIn(old), parametersIn(now)]
  return [
    ...[...before].flatMap(([key, parameter]) => {
      const current = after.get(key)
      return current === undefined
        ? removed(parameter, now)
        : parameterChanges({ old: parameter, now: current }, schemas)
    }),
    ...[...after].flatMap(([key, parameter]) => (before.has(key) ? [] : added(parameter)))
  ]
}

/** Returns the parameters; path parameters are matched by position, whatever their names. */
function parametersIn({ document, pathItem, node, path }: OperationPart): Map<string, Parameter> {
  const names = parameterNames(path)
  return new Map(
    parametersOf(document, pathItem, node).map((parameter) => [keyOf(parameter, names), parameter])
  )
}

function keyOf({ in: location, name }: Parameter, names: readonly string[]): string {
  if (location === 'path' && names.includes(name)) return `path ${names.indexOf(name)}`
  return `${location} ${location === 'header' ? name.toLowerCase() : name}`
}

const placeOf = ({ in: location, name }: Parameter): string => `${location}/${name}`

function removed(parameter: Parameter, { node }: OperationPart): Draft[] {
  const rule = parameter.required ? 'required-parameter-removed' : 'optional-parameter-removed'
  const text = `${parameter.in} parameter ${parameter.name} is gone`
  return [{ rule, place: placeOf(parameter), text, spot: { node, key: 'parameters' } }]
}

function added(parameter: Parameter): Draft[] {
  const rule = parameter.required ? 'required-parameter-added' : 'optional-parameter-added'
  const text = `${parameter.in} parameter ${parameter.name} added${parameter.required ? ', required' : ''}`
  return [{ rule, place: placeOf(parameter), text, spot: { node: parameter.node, key: 'name' } }]
}

function parameterChanges({ old, now }: Both<Parameter>, schemas: SchemaChanges): Draft[] {
  const place = placeOf(old)
  const spot: Spot = { node: now.node, key: 'schema' }
  const pair = { old: old.schema, now: now.schema, role: 'request' } as const
  const found = [...flags({ old, now }), ...serialization({ old, now }, schemas.typesOf(pair))]
  return [...found.map((draft) => ({ ...draft, place })), ...schemas.changes({ ...pair, place, spot })]
}

type Placeless = Omit<Draft, 'place'>

/** Boolean members, each with the rule for a change to true and the rule for a change to false. */
const flagRules = [
  ['required', 'parameter-became-required', 'parameter-became-optional'],
  ['allowReserved', 'parameter-reserved-allowed', 'parameter-reserved-refused'],
  ['allowEmptyValue', 'parameter-empty-allowed', 'parameter-empty-refused'],
  ['deprecated', 'parameter-deprecated', 'parameter-undeprecated']
] as const

function flags({ old, now }: Both<Parameter>): Placeless[] {
  const is = ({ node, required }: Parameter, flag: string) =>
    flag === 'required' ? required : own(node, flag) === true
  return flagRules.flatMap(([flag, set, unset]) => {
    const isSet = is(now, flag)
    if (is(old, flag) === isSet) return []
    return [{ rule: isSet ? set : unset, text: `${flag} now ${isSet}`, spot: { node: now.node, key: flag } }]
  })
}

/** Compares styles; a change matters only if it changes the text of one of the types. */
function serialization({ old, now }: Both<Parameter>, types: ReadonlySet<string>): Placeless[] {
  const [was, is] = [contentType(old), contentType(now)]
  const spot = (key: string): Spot => ({ node: now.node, key })
  if (was !== is)
    return [
      {
        rule: 'parameter-media-type-changed',
        text: `now written as ${is} (was ${was})`,
        spot: spot('content')
      }
    ]
  if (was !== 'text') return []
  const [style, explode] = [styleOf(now), isExploded(now)]
  const hasStyle =
    styleOf(old) !== style &&
    (types.has('array') || types.has('object') || scalarStyle(styleOf(old)) !== scalarStyle(style))
  const hasExplode = isExploded(old) !== explode && isExplodeSeen(style, types)
  return [
    ...(hasStyle
      ? [
          {
            rule: 'parameter-style-changed',
            text: `style now ${style} (was ${styleOf(old)})`,
            spot: spot('style')
          } as const
        ]
      : []),
    ...(hasExplode && !hasStyle
      ? [
          {
            rule: 'parameter-explode-changed',
            text: `explode now ${explode} (was ${!explode})`,
            spot: spot('explode')
          } as const
        ]
      : [])
  ]
}

function contentType({ node }: Parameter): string {
  const [type] = Object.keys(objectOf(own(node, 'content')))
  return type === undefined ? 'text' : mediaTypeName(type)
}

function styleOf({ node, in: location }: Parameter): string {
  return stringOf(own(node, 'style')) ?? stylesIn[location][0]
}

function isExploded(parameter: Parameter): boolean {
  const written: Json | undefined = own(parameter.node as JsonObject, 'explode')
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
