/** Compares request bodies. */
import type { Body, Content, Operation } from '@contract-first/contract'
import { contentDifferences } from './contents.ts'
import { type Both, both, type Difference, isKept, memberDifferences, nowText } from './difference.ts'
import { bodyPlace, contentFor, contentsOf } from './media-types.ts'
import type { SchemaChanges } from './schema-changes.ts'

export function requestBodyDifferences({ old, now }: Both<Operation>, changes: SchemaChanges): Difference[] {
  const at = { place: 'body', origin: now.origin.at('requestBody') }
  if (now.body === undefined)
    return old.body === undefined ? [] : [{ rule: 'request-body-removed', text: 'the body is gone', ...at }]
  const isRequired = now.body.required
  if (old.body === undefined) {
    const rule = isRequired ? 'required-request-body-added' : 'optional-request-body-added'
    return [{ rule, text: `body added${isRequired ? ', required' : ''}`, ...at }]
  }
  const bodies = { old: old.body, now: now.body }
  return [...requiredDifferences(bodies), ...contentsDifferences(bodies, changes)]
}

function requiredDifferences({ old, now }: Both<Body>): Difference[] {
  if (old.required === now.required) return []
  const rule = now.required ? 'request-body-became-required' : 'request-body-became-optional'
  const text = `the body is ${now.required ? 'now required' : 'no longer required'}`
  return [{ rule, place: 'body', text, origin: now.origin.at('required') }]
}

function contentsDifferences(bodies: Both<Body>, changes: SchemaChanges): Difference[] {
  const contents = both(bodies, (body) => contentsOf(body.contents))
  return memberDifferences(contents, {
    find: contentFor,
    removed: (_content, name) => ({
      rule: 'request-media-type-removed',
      place: bodyPlace(name, contents),
      text: `${name} is gone`,
      origin: bodies.now.origin.at('content')
    }),
    added: ({ origin }, name) => ({
      rule: 'request-media-type-added',
      place: bodyPlace(name, contents),
      text: `${name} added`,
      origin
    }),
    changed: (pair, name) => [
      ...contentDifferences(pair, bodyPlace(name, contents), changes),
      ...limitDifferences(pair)
    ]
  })
}

function limitDifferences(contents: Both<Content>): Difference[] {
  const limits = both(contents, ({ limit = Number.POSITIVE_INFINITY }) => limit)
  if (isKept(limits)) return []
  const rule = limits.now < limits.old ? 'body-limit-lowered' : 'body-limit-raised'
  const shown = both(limits, (limit) => (Number.isFinite(limit) ? `${limit} bytes` : 'none'))
  const origin = contents.now.origin.at('x-body-limit')
  return [{ rule, place: 'body', text: nowText('x-body-limit', shown), origin }]
}
