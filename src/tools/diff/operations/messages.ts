/** Compares request bodies, and the responses of an operation by status. */
import type { Body, Content, Link, Operation, Response } from '@contract-first/contract'
import { identity } from '../schemas/cases.ts'
import { contentDifferences } from './contents.ts'
import {
  type Both,
  both,
  type Difference,
  flagDifferences,
  isKept,
  memberDifferences,
  nowText,
  placed,
  type SchemaChanges
} from './difference.ts'
import { bodyPlace, contentFor, contentsOf, typesWithin } from './media-types.ts'
import { headerDifferences } from './parameters.ts'

type Responses = Operation['responses']

export function responseDifferences(operations: Both<Operation>, changes: SchemaChanges): Difference[] {
  const responses = both(operations, (operation) => operation.responses)
  const origin = operations.now.origin.at('responses')
  const differences = memberDifferences(responses, {
    origin,
    find: (status, all) =>
      all === responses.now && isSplit(status, all) ? undefined : responseFor(status, all),
    alone: (_response, status, verb) => ({
      rule: `response-status-${verb}`,
      place: status,
      name: `status ${status}`
    }),
    changed: (pair, status) =>
      placed(`${status}/`, [
        ...responseContents(pair, changes),
        ...headerDifferences(
          both(pair, ({ headers }) => headers),
          changes,
          pair.now.origin.at('headers')
        ),
        ...linkDifferences(pair)
      ])
  })
  return [...differences, ...successDifferences(responses, origin)]
}

/** Returns the response for a status: its own, that of its range, or the default one. */
const responseFor = (status: string, responses: Responses): Response | undefined =>
  responses.get(status) ?? responses.get(`${status.charAt(0)}XX`) ?? responses.get('default')

/** Recognises a range that is gone, while statuses of it are left: each is compared with the range. */
const isSplit = (status: string, now: Responses): boolean =>
  status.endsWith('XX') && !now.has(status) && [...now.keys()].some((each) => each[0] === status[0])

/** Reports removed successes, for which a client would wait in vain. An only response describes successes, too. */
function successDifferences({ old, now }: Both<Responses>, origin: Difference['origin']): Difference[] {
  const successesIn = (all: Responses) => [...all.keys()].filter((status) => status.startsWith('2'))
  const successes = old.size === 1 && old.has('default') ? ['default'] : successesIn(old)
  const isLeft = [...successes, ...successesIn(now)].some(
    (status) => responseFor(status, old) !== undefined && responseFor(status, now) !== undefined
  )
  if (successes.length === 0 || isLeft) return []
  const text = `no success that was declared is left (was ${successes.join(', ')})`
  return [{ rule: 'response-success-removed', place: successes.join(), text, origin }]
}

function responseContents(responses: Both<Response>, changes: SchemaChanges): Difference[] {
  const contents = both(responses, (response) => contentsOf(response.contents))
  const origin = responses.now.origin.at('content')
  const [had, has] = [contents.old.size > 0, contents.now.size > 0]
  if (had && !has) return [{ rule: 'response-body-removed', place: 'body', text: 'the body is gone', origin }]
  if (has && !had) return [{ rule: 'response-body-added', place: 'body', text: 'body added', origin }]
  return memberDifferences(contents, {
    origin,
    find: contentFor,
    alone: (_content, name, verb) => {
      const left = verb === 'removed' ? typesWithin(name, contents.now) : []
      const found = { place: bodyPlace(name, contents), name }
      return left.length === 0
        ? { rule: `response-media-type-${verb}`, ...found }
        : { rule: 'response-media-range-narrowed', text: `${name} is now ${left.join(' or ')}`, ...found }
    },
    changed: (pair, name) => contentDifferences(pair, bodyPlace(name, contents), changes)
  })
}

/** Compares the links of a response: clients follow them by name. */
function linkDifferences(responses: Both<Response>): Difference[] {
  const links = both(responses, (response) => new Map(response.links.map((link) => [link.name, link])))
  return memberDifferences(links, {
    origin: responses.now.origin.at('links'),
    alone: (_link, name, verb) => ({ rule: `link-${verb}`, place: `links/${name}`, name: `link ${name}` }),
    changed: (pair, name) => {
      const text = `link ${name} has changed`
      const found = { rule: 'link-changed', place: `links/${name}`, text, origin: pair.now.origin } as const
      return isKept(both(pair, targetOf)) ? [] : [found]
    }
  })
}

const targetOf = ({ target, parameters, body }: Link): string =>
  identity([target, [...parameters].sort(([a], [b]) => (a < b ? -1 : 1)), body ?? null])

const bodyFlags = [['required', 'request-body-became-required', 'request-body-became-optional']] as const

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
  const required = flagDifferences(bodies, bodyFlags, (_flag, isSet) => {
    return `the body is ${isSet ? 'now' : 'no longer'} required`
  })
  return [...placed('body', required), ...requestContents(bodies, changes)]
}

function requestContents(bodies: Both<Body>, changes: SchemaChanges): Difference[] {
  const contents = both(bodies, (body) => contentsOf(body.contents))
  return memberDifferences(contents, {
    origin: bodies.now.origin.at('content'),
    find: contentFor,
    alone: (_content, name, verb) => ({
      rule: `request-media-type-${verb}`,
      place: bodyPlace(name, contents),
      name
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
