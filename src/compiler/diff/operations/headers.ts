/** Compares the headers of a response. */
import type { Header, Origin } from '@contract-first/contract'
import { type Both, both, type Difference, isKept, memberDifferences, placed } from './difference.ts'
import { writtenAs } from './media-types.ts'
import { typesOf } from './parameters.ts'
import type { SchemaChanges, Schemas } from './schema-changes.ts'
import { type Layout, textDifferences } from './texts.ts'

type Named = Header & { readonly name: string }

/** @param origin place of removed headers */
export function headerDifferences(
  headers: Both<ReadonlyMap<string, Header>>,
  changes: SchemaChanges,
  origin: Origin
): Difference[] {
  const byName = both(headers, (all) => {
    const named = [...all].map(([name, header]): [string, Named] => [name.toLowerCase(), { ...header, name }])
    return new Map(named)
  })
  return memberDifferences(byName, {
    removed: ({ name, required }) => ({
      rule: required ? 'required-response-header-removed' : 'optional-response-header-removed',
      place: `header/${name}`,
      text: `header ${name} is gone`,
      origin
    }),
    added: (header) => ({
      rule: 'response-header-added',
      place: `header/${header.name}`,
      text: `header ${header.name} added`,
      origin: header.origin
    }),
    changed: (pair) => placed(`header/${pair.old.name}`, headerChanges(pair, changes))
  })
}

const layout: Layout = { delimiter: ',', isEncoded: false }

const schemasOf = ({ schema, content }: Named): Schemas => {
  const found = schema ?? content?.schema
  return found === undefined ? [] : [found]
}

function headerChanges(headers: Both<Named>, changes: SchemaChanges): Difference[] {
  const { old, now } = headers
  const changed = (isChanged: boolean, rule: Difference['rule'], key: string, what: string): Difference[] =>
    isChanged ? [{ rule, place: '', text: `header ${old.name} is ${what}`, origin: now.origin.at(key) }] : []
  const schemas = both(headers, schemasOf)
  const written = both(headers, ({ content }) => writtenAs(content))
  const isExploded = old.explode !== now.explode && typesOf(schemas).has('object')
  const how = isKept(written) ? 'explode' : 'content'
  const origin = now.origin.at('schema')
  const found = changes.changes(schemas, '', origin)
  const isText = written.old === 'text' && written.now === 'text'
  const texts = { schemas, layouts: { old: layout, now: layout }, place: '', origin }
  return [
    ...changed(!old.required && now.required, 'response-header-became-required', 'required', 'now required'),
    ...changed(
      old.required && !now.required,
      'response-header-became-optional',
      'required',
      'no longer required'
    ),
    ...changed(
      !old.deprecated && now.deprecated,
      'response-header-deprecated',
      'deprecated',
      'now deprecated'
    ),
    ...changed(
      old.deprecated && !now.deprecated,
      'response-header-undeprecated',
      'deprecated',
      'no longer deprecated'
    ),
    ...changed(
      !isKept(written) || isExploded,
      'response-header-serialization-changed',
      how,
      'written otherwise'
    ),
    ...(isText ? textDifferences(found, texts, changes) : found)
  ]
}
