/** The schemas of one resource: the resource, its draft and its changes, its page, its thread, its events. */
import type { Choices } from './choices.ts'
import { array, object, type Schema, schemaRef } from './document.ts'
import { fields } from './fields.ts'
import type { Resource } from './resources.ts'

/** @param neighbour another resource, which this one refers to */
export function resourceSchemas({ name }: Resource, neighbour: Resource, choices: Choices): Schema {
  const chosen = choices.some(fields, 6 + choices.below(12))
  const own = object(
    {
      name: { type: 'string', minLength: 1, maxLength: 100, example: 'First' },
      state: schemaRef(`${name}State`),
      ...Object.fromEntries(chosen),
      ...relation(neighbour, choices)
    },
    ['name', 'state', ...choices.some(chosen, 4).map(([field]) => field)]
  )
  const { required: _, ...optional } = own
  return {
    [name]: { allOf: [schemaRef('Identified'), schemaRef('Timestamps'), own] },
    [`${name}State`]: { type: 'string', enum: choices.some(states, 3 + choices.below(4)) },
    [`${name}Draft`]: own,
    [`${name}Patch`]: { ...optional, minProperties: 1 },
    [`${name}Page`]: { allOf: [schemaRef('Page'), object({ items: array(schemaRef(name)) }, ['items'])] },
    [`${name}Note`]: note(`${name}Note`),
    ...(choices.below(3) === 0 ? mappedEvents(name) : inheritedEvents(name))
  }
}

const states = ['draft', 'open', 'active', 'paused', 'closed', 'archived', 'deleted']

/** Returns a full resource for every fourth one, otherwise its draft or its id: the references form cycles. */
function relation({ name, noun }: Resource, choices: Choices): Schema {
  const kind = choices.below(4)
  if (kind === 0) return { [`related_${noun}`]: schemaRef(name) }
  if (kind === 1) return { [`planned_${noun}s`]: array(schemaRef(`${name}Draft`)) }
  return { [`${noun}_id`]: { type: 'integer', format: 'int64' } }
}

/** Returns a schema that contains itself. */
const note = (name: string): Schema =>
  object(
    { author: schemaRef('User'), text: { type: 'string', minLength: 1 }, replies: array(schemaRef(name)) },
    ['text']
  )

const kinds = ['Opened', 'Moved', 'Closed']
const eventFields: readonly Schema[] = [
  { urgent: { type: 'boolean' } },
  { from: { type: 'string' }, to: { type: 'string', minLength: 1 } },
  { reason: { type: 'string', nullable: true } }
]

/** Returns a union with a mapping of its discriminator. */
function mappedEvents(name: string): Schema {
  const mapping = kinds.map((kind) => [kind.toLowerCase(), `#/components/schemas/${name}${kind}`] as const)
  const event = {
    oneOf: kinds.map((kind) => schemaRef(`${name}${kind}`)),
    discriminator: { propertyName: 'kind', mapping: Object.fromEntries(mapping) }
  }
  const variant = (index: number) =>
    object({ kind: { type: 'string', enum: [mapping[index]?.[0]] }, ...eventFields[index] }, ['kind'])
  return {
    [`${name}Event`]: event,
    ...Object.fromEntries(
      kinds.map((kind, index) => [`${name}${kind}`, { allOf: [schemaRef('Timestamps'), variant(index)] }])
    )
  }
}

/** Returns a base with a discriminator; the schemas that inherit from it are its union, and their names the values. */
function inheritedEvents(name: string): Schema {
  const base = object({ kind: { type: 'string' }, by: schemaRef('User') }, ['kind'], {
    discriminator: { propertyName: 'kind' },
    example: { kind: `${name}Opened`, urgent: true }
  })
  return {
    [`${name}Event`]: base,
    ...Object.fromEntries(
      kinds.map((kind, index) => [
        `${name}${kind}`,
        { allOf: [schemaRef(`${name}Event`), object(eventFields[index] ?? {})] }
      ])
    )
  }
}
