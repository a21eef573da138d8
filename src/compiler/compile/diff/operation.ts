/** Compares two versions of an operation: `listThings + query limit (required)`. */

import { arrayOf, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import { type Parameter, parametersOf } from '../document/parameter-objects.ts'
import { dereference } from '../document/reference.ts'
import { isText, objectFrom, sameMeaning } from './same-meaning.ts'
import { schemaChanges } from './schema.ts'

/** One version of the operation. */
interface Side extends OperationNode {
  readonly document: JsonObject
}

/** Members that are compared in detail; for others only the fact of a change is reported. */
const compared = new Set(['operationId', 'parameters', 'requestBody', 'responses', 'security'])

/** Returns one line for each change. */
export function operationChanges(id: string, before: Side, after: Side): string[] {
  const moved = before.method !== after.method || before.path !== after.path
  const others = new Set([...Object.keys(before.node), ...Object.keys(after.node)])
  return [
    ...(moved ? [`now ${after.method} ${after.path}`] : []),
    ...parameterChanges(parametersIn(before), parametersIn(after)),
    ...bodyChanges(bodyOf(before), bodyOf(after)),
    ...responseChanges(before, after),
    ...securityChange(before, after),
    ...[...others]
      .filter(
        (key) =>
          !compared.has(key) && !isText(key) && !sameMeaning(own(before.node, key), own(after.node, key))
      )
      .map((key) => `${key} changed`)
  ].map((change) => `${id} ${change}`)
}

type Parameters = ReadonlyMap<string, Parameter>

const parametersIn = ({ document, pathItem, node }: Side): Parameters =>
  new Map(
    parametersOf(document, pathItem, node).map((parameter) => [
      `${parameter.in} ${parameter.name}`,
      parameter
    ])
  )

function parameterChanges(before: Parameters, after: Parameters): string[] {
  const required = (parameter: Parameter) => (parameter.required ? ' (required)' : '')
  return [
    ...[...after].flatMap(([name, parameter]) =>
      before.has(name) ? [] : [`+ ${name}${required(parameter)}`]
    ),
    ...[...before.keys()].flatMap((name) => (after.has(name) ? [] : [`- ${name}`])),
    ...[...after].flatMap(([name, parameter]) => {
      const old = before.get(name)
      return old === undefined ? [] : parameterChange(name, old, parameter)
    })
  ]
}

function parameterChange(name: string, before: Parameter, after: Parameter): string[] {
  const { required: _old, schema: _oldSchema, ...oldStyle } = before.node
  const { required: _new, schema: _newSchema, ...style } = after.node
  return [
    ...requiredChange(name, before.required, after.required),
    ...inlineSchema(name, before.schema, after.schema),
    ...(sameMeaning(oldStyle, style) ? [] : [`${name} changed`])
  ]
}

const requiredChange = (name: string, before: boolean, after: boolean): string[] =>
  before === after ? [] : [`${name} now ${after ? 'required' : 'optional'}`]

function inlineSchema(name: string, before: Json | undefined, after: Json | undefined): string[] {
  return sameMeaning(before, after) ? [] : schemaChanges(name, objectFrom(before), objectFrom(after))
}

const bodyOf = ({ document, node }: Side): JsonObject | undefined =>
  dereference(document, own(node, 'requestBody'))

function bodyChanges(before: JsonObject | undefined, after: JsonObject | undefined): string[] {
  if (before === undefined) return after === undefined ? [] : ['+ body']
  if (after === undefined) return ['- body']
  return [
    ...requiredChange('body', own(before, 'required') === true, own(after, 'required') === true),
    ...contentChanges('body', before, after)
  ]
}

function contentChanges(name: string, before: JsonObject, after: JsonObject): string[] {
  const [old, current] = [objectOf(own(before, 'content')), objectOf(own(after, 'content'))]
  return [
    ...Object.keys(current).flatMap((type) => (Object.hasOwn(old, type) ? [] : [`${name} + ${type}`])),
    ...Object.keys(old).flatMap((type) => (Object.hasOwn(current, type) ? [] : [`${name} - ${type}`])),
    ...Object.entries(current).flatMap(([type, media]) => {
      const was = own(old, type)
      return was === undefined || sameMeaning(was, media) ? [] : mediaChanges(name, was, media)
    })
  ]
}

function mediaChanges(name: string, before: Json, after: Json): string[] {
  const [old, current] = [objectFrom(before), objectFrom(after)]
  const changes = inlineSchema(name, own(old, 'schema'), own(current, 'schema'))
  return changes.length > 0 ? changes : [`${name} changed`]
}

function responseChanges(before: Side, after: Side): string[] {
  const [old, current] = [responsesOf(before), responsesOf(after)]
  return [
    ...[...current.keys()].flatMap((status) => (old.has(status) ? [] : [`+ ${status}`])),
    ...[...old.keys()].flatMap((status) => (current.has(status) ? [] : [`- ${status}`])),
    ...[...current].flatMap(([status, response]) => {
      const was = old.get(status)
      return was === undefined || sameMeaning(was, response) ? [] : responseChange(status, was, response)
    })
  ]
}

function responsesOf({ document, node }: Side): Map<string, JsonObject> {
  const responses = Object.entries(objectOf(own(node, 'responses')))
  return new Map(responses.map(([status, response]) => [status, objectFrom(dereference(document, response))]))
}

function responseChange(status: string, before: JsonObject, after: JsonObject): string[] {
  const headers = sameMeaning(objectOf(own(before, 'headers')), objectOf(own(after, 'headers')))
  const changes = [
    ...contentChanges(status, before, after),
    ...(headers ? [] : [`${status} headers changed`])
  ]
  return changes.length > 0 ? changes : [`${status} changed`]
}

function securityChange(before: Side, after: Side): string[] {
  const [old, current] = [securityText(before), securityText(after)]
  return old === current ? [] : [`security now ${current} (was ${old})`]
}

/** Describes the requirements: `bearerAuth`, `a and b or c (read)`, `none`. */
function securityText({ document, node }: Side): string {
  const alternatives = arrayOf(own(node, 'security') ?? own(document, 'security')).map((requirement) =>
    Object.entries(objectOf(requirement))
      .map(([name, scopes]) => [name, ...arrayOf(scopes).map((scope) => `(${String(scope)})`)].join(' '))
      .join(' and ')
  )
  return alternatives.map((text) => text || 'none').join(' or ') || 'none'
}
