/** The tables of this folder: schemas of JSON Schema 2020-12, and the values that each accepts and refuses. */
import { readFileSync } from 'node:fs'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'

export type Schema = boolean | { readonly [keyword: string]: unknown }

export interface Row {
  readonly about: string
  readonly schema: Schema
  readonly takes: readonly string[]
  readonly refuses: readonly string[]
}

/** A row as it is written: a text has texts without spaces. */
interface Written {
  readonly about?: string
  readonly schema: Schema
  readonly format: string
  readonly takes?: string | readonly string[]
  readonly refuses?: string | readonly string[]
}

const table = (name: string) =>
  load(readFileSync(`${import.meta.dirname}/${name}.yaml`, 'utf8'), {
    schema: CORE_SCHEMA.withTags(mergeTag)
  })

const listOf = (texts: Written['takes'] = []) => (typeof texts === 'string' ? texts.split(' ') : texts)

/** Rows whose texts are JSON: a parsed value would lose the spelling of a number. */
export const valueRows = Object.entries(
  table('values') as Readonly<Record<string, readonly Written[]>>
).flatMap(([title, rows]) =>
  rows.map(
    ({ about = title, schema, takes, refuses }): Row => ({
      ...{ about, schema, takes: listOf(takes), refuses: listOf(refuses) }
    })
  )
)

/** Formats, and texts that they accept and refuse. */
export const formatRows = (table('formats') as readonly Written[]).map(
  ({ about = '', format, takes, refuses }) => ({
    ...{ about, format, takes: listOf(takes), refuses: listOf(refuses) }
  })
)

export const combinations = table('combinations') as readonly Schema[]
