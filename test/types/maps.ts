import contract from './contract.ts'
import type { components } from './types.ts'
import { operationCodec } from 'CODEC'

type Maps = components['schemas']['Maps']

/** Values that the schemas allow. */
export const right: readonly Maps[] = [
  { labels: { id: 1, colour: 'green' } },
  { wide: { id: 1n, on: true } },
  { prefixed: { id: 1, 'x-a': 'b' } },
  { open: { id: 1, 'x-a': 'b' } },
  { split: { id: 1, 'x-a': 'b' } },
  { patterns: { 'x-a': 'b', 'y-a': true, n: 1 } },
  { tree: { name: 'a', left: { right: {} } } },
  { nullable: { id: null, other: 'a' } },
  { nullable: null },
  { untyped: { id: 1, other: 'a' } },
  { joined: { id: 1, other: 'a' } },
  { any: { id: 1, other: [] } },
  { none: { id: 1, other: 'a' } }
]

export const wrong: readonly Maps[] = [
  // @ts-expect-error the type of a declared property
  { labels: { id: 'a', colour: 'green' } },
  // @ts-expect-error a required property
  { labels: { colour: 'green' } },
  // @ts-expect-error the type of all others
  { labels: { id: 1, colour: true } },
  // @ts-expect-error a type of no pattern
  { prefixed: { 'x-a': true } },
  // @ts-expect-error a value that is not listed
  { nullable: { other: 'c' } }
]

declare const received: Maps
export const id: number | undefined = received.labels?.id
export const other: string | number | undefined = received.labels?.['colour']

const of = { operationId: 'exchange', mediaType: 'application/json', status: 200, file: 'x.ts' } as const
// @ts-expect-error no such operation
export const noOperation = operationCodec(contract, { ...of, operationId: 'other' })
// @ts-expect-error no such media type
export const noMediaType = operationCodec(contract, { ...of, mediaType: 'text/plain' })
// @ts-expect-error no such status
export const noStatus = operationCodec(contract, { ...of, status: 201 })
const codec = await operationCodec(contract, of)
// @ts-expect-error no such property
export const noProperty = codec.declared({}).other
export const parsed: Maps = codec.parse(Buffer.from('{}'))
export const serialized: string = codec.serialize({ labels: { id: 1 } })

export const labelled: number = contract.schemas.Labels.parse('{"id":1}').id
const loaded = await contract.loadSchemas()
// @ts-expect-error labels have an id
export const stringified = loaded.Labels.stringify({})
