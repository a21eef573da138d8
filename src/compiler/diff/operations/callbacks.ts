/** Compares callbacks and webhooks, in which the service sends the requests: they may only narrow, responses only widen. */
import { type Contract, methods, type Operation, type Origin } from '@contract-first/contract'
import { type Both, both, type Difference, memberDifferences, placed } from './difference.ts'
import { isOperationRule, type RuleId } from './rules.ts'

/** Compares requests and answers of an operation that the service sends. */
export type CompareSent = (operations: Both<Operation>) => readonly Difference[]

type Kind = 'callback' | 'webhook'

/** Names the callbacks of an operation: `onEvent post {$request.body#/url}`. */
export const callbackDifferences = (operations: Both<Operation>, compare: CompareSent): Difference[] => {
  const callbacks = both(operations, (each) => {
    const named = each.callbacks.map(({ name, expression, operation }) => {
      return [`${name} ${methodOf(operation)} ${expression}`, operation] as const
    })
    return new Map(named)
  })
  return sentDifferences(callbacks, compare, 'callback', operations.now.origin.at('callbacks'))
}

export const webhookDifferences = (contracts: Both<Contract>, compare: CompareSent): Difference[] => {
  const webhooks = both(contracts, (contract) => {
    const named = contract.webhooks.map((each) => [`${each.path} ${methodOf(each)}`, each] as const)
    return new Map(named)
  })
  return sentDifferences(webhooks, compare, 'webhook', contracts.now.origin.at('webhooks'))
}

/** Methods of path items have fields in lower case. */
const methodOf = ({ method }: Operation): string => (fields.has(method) ? method.toLowerCase() : method)
const fields: ReadonlySet<string> = new Set(methods.map((each) => each.toUpperCase()))

const sentDifferences = (
  operations: Both<ReadonlyMap<string, Operation>>,
  compare: CompareSent,
  kind: Kind,
  origin: Origin
): Difference[] =>
  memberDifferences(operations, {
    removed: (_each, name) => ({
      rule: `${kind}-removed`,
      text: `${name} is gone`,
      place: `${kind}s/${name}`,
      origin
    }),
    added: (each, name) => ({
      rule: `${kind}-added`,
      text: `${name} added`,
      place: `${kind}s/${name}`,
      origin: each.origin
    }),
    changed: (pair, name) =>
      placed(`${kind}s/${name}/`, compare(pair)).map((difference) => ({
        ...difference,
        rule: sentRule(difference.rule, kind)
      }))
  })

/** Rules for requests by what they mean to a receiver; it is disputed whom the others break. */
const lost =
  /^(required-parameter-removed|parameter-became-optional|parameter-(style|explode|media-type)-changed|request-body-(removed|became-optional)|security-(removed|scheme-removed|scheme-changed|alternative-added))$/
const gained =
  /^((required|optional)-parameter-added|parameter-became-required|(required|optional)-request-body-added|request-body-became-required|security-(added|scheme-added))$/

function sentRule(rule: RuleId, kind: Kind): RuleId {
  // Rules for texts are those of the direction in which they are sent.
  if (!isOperationRule(rule) || /-texts-|deprecated$/.test(rule)) return rule
  return lost.test(rule) ? `${kind}-part-lost` : gained.test(rule) ? `${kind}-part-gained` : `${kind}-changed`
}
