/** Compares request bodies. */
import type { Body, Content, Operation } from '@contract-first/contract'
import { contentDrafts } from './contents.ts'
import { type Both, both, type Draft, isKept, memberDrafts, nowText } from './draft.ts'
import { bodyPlace, contentFor, contentsOf } from './media-types.ts'
import type { SchemaChanges } from './schema-changes.ts'

export function requestBodyDrafts({ old, now }: Both<Operation>, changes: SchemaChanges): Draft[] {
  const at = { place: 'body', origin: now.origin.at('requestBody') }
  if (now.body === undefined)
    return old.body === undefined ? [] : [{ rule: 'request-body-removed', text: 'the body is gone', ...at }]
  const isRequired = now.body.required
  if (old.body === undefined) {
    const rule = isRequired ? 'required-request-body-added' : 'optional-request-body-added'
    return [{ rule, text: `body added${isRequired ? ', required' : ''}`, ...at }]
  }
  const bodies = { old: old.body, now: now.body }
  return [...requiredDrafts(bodies), ...contentsDrafts(bodies, changes)]
}

function requiredDrafts({ old, now }: Both<Body>): Draft[] {
  if (old.required === now.required) return []
  const rule = now.required ? 'request-body-became-required' : 'request-body-became-optional'
  const text = `the body is ${now.required ? 'now required' : 'no longer required'}`
  return [{ rule, place: 'body', text, origin: now.origin.at('required') }]
}

function contentsDrafts(bodies: Both<Body>, changes: SchemaChanges): Draft[] {
  const contents = both(bodies, (body) => contentsOf(body.contents))
  return memberDrafts(contents, {
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
      ...contentDrafts(pair, bodyPlace(name, contents), changes),
      ...limitDrafts(pair)
    ]
  })
}

function limitDrafts(contents: Both<Content>): Draft[] {
  const limits = both(contents, ({ limit = Number.POSITIVE_INFINITY }) => limit)
  if (isKept(limits)) return []
  const rule = limits.now < limits.old ? 'body-limit-lowered' : 'body-limit-raised'
  const shown = both(limits, (limit) => (Number.isFinite(limit) ? `${limit} bytes` : 'none'))
  const origin = contents.now.origin.at('x-body-limit')
  return [{ rule, place: 'body', text: nowText('x-body-limit', shown), origin }]
}
