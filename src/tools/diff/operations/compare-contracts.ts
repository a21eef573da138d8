/** Compares two contracts: the changes, and the clients that they break. */
import { type Contract, methods, type Operation, type Origin } from '@contract-first/contract'
import { encodingDifferences } from './contents.ts'
import {
  type Both,
  both,
  type Difference,
  flagDifferences,
  isKept,
  memberDifferences,
  nowText,
  placed,
  SchemaChanges
} from './difference.ts'
import { requestBodyDifferences, responseDifferences } from './messages.ts'
import { parameterDifferences, parametersIn, placeOf } from './parameters.ts'
import { type Change, isOperationRule, type List, listOf, type Report, type RuleId } from './rules.ts'
import { schemeDifferences, securityDifferences } from './security.ts'
import { pathsOf, serverDifferences, templateOf } from './servers.ts'

/** @param today day by which an announced removal may be over */
export function compareContracts(old: Contract, now: Contract, today: Date): Report {
  const contracts = { old, now }
  const [requests, answers] = [new SchemaChanges('request'), new SchemaChanges('response')]
  /** Compares an operation of which the service sends the request. */
  const sentChanges = (pair: Both<Operation>) => messageDifferences(pair, answers, requests)
  const differences = [
    ...schemeDifferences(contracts),
    ...webhookDifferences(contracts, sentChanges),
    ...memberDifferences(joined(contracts), {
      alone: (operation, _key, verb) => {
        const at = { operation: methodAndPath(operation), place: '', name: methodAndPath(operation) }
        return verb === 'added'
          ? { rule: 'operation-added', ...at }
          : { ...at, ...removedDifference(operation, now, today) }
      },
      changed: (pair) => [
        ...serverChanges(pair, contracts),
        ...ofOperation(pair, [
          ...operationDifferences(pair, contracts),
          ...messageDifferences(pair, requests, answers),
          ...callbackDifferences(pair, sentChanges)
        ])
      ]
    })
  ]
  const found = new Map(
    differences.map((each) => [`${each.rule} ${each.operation} ${each.place} ${each.text}`, each])
  )
  const changes = [...found.values()].map(({ rule, operation = null, place, text, origin }): Change => {
    const { file, line, column } = origin
    const message = place === '' ? text : `${place}: ${text}`
    return { rule, operation, place, message, file, line, column }
  })
  const of = (list: List) => changes.filter(({ rule }) => listOf(rule) === list)
  return { breaking: of('breaking'), undecided: of('undecided'), compatible: of('compatible') }
}

const methodAndPath = ({ method, path }: Operation): string => `${method} ${path}`

function removedDifference(operation: Operation, now: Contract, today: Date) {
  const { path, deprecated } = operation
  const left = now.operations.find((other) => templateOf(other.path) === templateOf(path))
  const origin = left?.pathItem.origin ?? now.origin.at('paths')
  const sunset = deprecated ? sunsetOf(operation) : undefined
  if (sunset !== undefined && sunset <= today) {
    const text = `${methodAndPath(operation)} is gone, as announced`
    return { rule: 'operation-removed-after-sunset', text, origin } as const
  }
  return { rule: left === undefined ? 'path-removed' : 'operation-removed', origin } as const
}

/** Returns changes of the servers of the contract once, without an operation. */
function serverChanges(pair: Both<Operation>, { old, now }: Both<Contract>): readonly Difference[] {
  if (isMoved(pair)) return []
  const isShared = hasServersOf(pair.old, old) && hasServersOf(pair.now, now)
  const differences = serverDifferences(pair, (isShared ? now : pair.now).origin.at('servers'))
  return isShared ? differences : ofOperation(pair, differences)
}

const messageDifferences = (
  pair: Both<Operation>,
  sent: SchemaChanges,
  answered: SchemaChanges
): Difference[] => [
  ...securityDifferences(pair),
  ...parameterDifferences(pair, sent),
  ...queryDifferences(pair, sent),
  ...requestBodyDifferences(pair, sent),
  ...responseDifferences(pair, answered)
]

/** Returns true for an operation without servers of its own. */
const hasServersOf = ({ servers }: Operation, contract: Contract): boolean =>
  servers === contract.servers || (contract.servers.length === 0 && servers.every(({ url }) => url === '/'))

const ofOperation = ({ old }: Both<Operation>, differences: readonly Difference[]): Difference[] =>
  differences.map((difference) => ({ ...difference, operation: methodAndPath(old) }))

type Operations = ReadonlyMap<string, Operation>

/** Returns the operations by a key that both contracts have for the same one: of the same URL, name or path. */
function joined(contracts: Both<Contract>): Both<Operations> {
  const templateKey = ({ method, path }: Operation) => `${method} ${templateOf(path)}`
  const alike = Map.groupBy(contracts.old.operations, templateKey)
  // Paths that differ only by the names of parameters are told apart by them.
  const keyOf = (each: Operation) =>
    (alike.get(templateKey(each)) ?? []).length > 1 ? methodAndPath(each) : templateKey(each)
  const urlsOf = (each: Operation) => pathsOf(each).map((path) => `${each.method} ${path}`)
  const old = new Map(contracts.old.operations.map((each) => [keyOf(each), each]))
  const byUrl = new Map([...old].flatMap(([key, each]) => urlsOf(each).map((url) => [url, key])))
  const byId = new Map([...old].flatMap(([key, { isNamed, id }]) => (isNamed ? [[id, key]] : [])))
  const ways: readonly ((each: Operation) => readonly (string | undefined)[])[] = [
    (each) => urlsOf(each).map((url) => (byUrl.get(url) === keyOf(each) ? keyOf(each) : undefined)),
    (each) => urlsOf(each).map((url) => byUrl.get(url)),
    ({ isNamed, id }) => (isNamed ? [byId.get(id)] : []),
    (each) => [keyOf(each)]
  ]
  const now = new Map<string, Operation>()
  let left = contracts.now.operations
  for (const keysOf of ways)
    left = left.filter((each) => {
      const key = keysOf(each).find((known) => known !== undefined && old.has(known) && !now.has(known))
      if (key !== undefined) now.set(key, each)
      return key === undefined
    })
  for (const each of left) now.set(`added ${keyOf(each)}`, each)
  return { old, now }
}

/** Returns true for an operation of another method or path template with the same name. */
function isMoved({ old, now }: Both<Operation>): boolean {
  if (old.method !== now.method) return true
  const isSamePath = templateOf(old.path) === templateOf(now.path)
  return !isSamePath && new Set(pathsOf(old)).isDisjointFrom(new Set(pathsOf(now)))
}

/** Compares how the fields of a whole query are written that is a form. */
function queryDifferences(pair: Both<Operation>, changes: SchemaChanges): Difference[] {
  const { old, now } = both(pair, (operation) => parametersIn(operation).get('querystring'))
  if (old?.content === undefined || now?.content === undefined) return []
  return encodingDifferences({ old: old.content, now: now.content }, placeOf(old), changes)
}

const operationFlags = [['deprecated', 'operation-deprecated', 'operation-undeprecated']] as const
const deprecatedText = (_flag: string, isSet: boolean) => `${isSet ? 'now' : 'no longer'} deprecated`

/** Compares what an operation says of itself. */
function operationDifferences(pair: Both<Operation>, contracts: Both<Contract>): Difference[] {
  const { old, now } = pair
  const changed = (
    isChanged: boolean,
    rule: Difference['rule'],
    place: string,
    text: string
  ): Difference[] =>
    isChanged ? [{ rule, place, text, origin: place === '' ? now.origin : now.origin.at(place) }] : []
  const ids = both(pair, ({ id }) => id)
  // Generated clients name their functions after it.
  const isRenamed = !isKept(ids) && old.isNamed && now.isNamed
  const [was, is] = (['old', 'now'] as const).map(
    (side) => (pair[side].extensions[strictKey] ?? contracts[side].extensions[strictKey]) === true
  )
  const refuses = 'refuses undeclared names in the query'
  return [
    ...changed(isMoved(pair), 'operation-moved', '', `${methodAndPath(old)} is now ${methodAndPath(now)}`),
    ...changed(isRenamed, 'operation-id-changed', 'operationId', nowText('operationId', ids)),
    ...placed('deprecated', flagDifferences(pair, operationFlags, deprecatedText)),
    ...sunsetDifferences(pair),
    ...changed(!was && is === true, 'strict-query-added', strictKey, `now ${refuses}`),
    ...changed(was === true && !is, 'strict-query-removed', strictKey, `no longer ${refuses}`)
  ]
}

const strictKey = 'x-strict-query'
const sunsetKey = 'x-sunset'

/** Returns the day from which an operation may be gone; undefined without a valid date. */
function sunsetOf({ extensions }: Operation): Date | undefined {
  const date = new Date(String(extensions[sunsetKey]))
  return Number.isNaN(date.getTime()) ? undefined : date
}

function sunsetDifferences(pair: Both<Operation>): Difference[] {
  const written = both(pair, ({ extensions }) => extensions[sunsetKey] ?? 'none')
  if (isKept(written)) return []
  const origin = pair.now.origin.at(sunsetKey)
  return [{ rule: sunsetRule(pair), place: sunsetKey, text: nowText(sunsetKey, written), origin }]
}

function sunsetRule(pair: Both<Operation>): Difference['rule'] {
  const { old, now } = both(pair, sunsetOf)
  if (pair.now.extensions[sunsetKey] === undefined) return 'sunset-removed'
  if (now === undefined) return 'sunset-unreadable'
  if (old === undefined) return 'sunset-added'
  return now < old ? 'sunset-moved-earlier' : 'sunset-moved-later'
}

/** Compares requests and answers of an operation that the service sends. */
type CompareSent = (operations: Both<Operation>) => readonly Difference[]

/** Names the callbacks of an operation: `onEvent post {$request.body#/url}`. */
const callbackDifferences = (operations: Both<Operation>, compare: CompareSent): Difference[] => {
  const callbacks = both(operations, (each) =>
    each.callbacks.map(({ name, expression, operation }) => {
      return [`${name} ${methodOf(operation)} ${expression}`, operation] as const
    })
  )
  return sentDifferences(callbacks, compare, 'callback', operations.now.origin.at('callbacks'))
}

const webhookDifferences = (contracts: Both<Contract>, compare: CompareSent): Difference[] => {
  const webhooks = both(contracts, (contract) =>
    contract.webhooks.map((each) => [`${each.path} ${methodOf(each)}`, each] as const)
  )
  return sentDifferences(webhooks, compare, 'webhook', contracts.now.origin.at('webhooks'))
}

/** Methods of path items have fields in lower case. */
const methodOf = ({ method }: Operation): string => (fields.has(method) ? method.toLowerCase() : method)
const fields: ReadonlySet<string> = new Set(methods.map((each) => each.toUpperCase()))

const sentDifferences = (
  operations: Both<readonly (readonly [name: string, operation: Operation])[]>,
  compare: CompareSent,
  kind: 'callback' | 'webhook',
  origin: Origin
): Difference[] =>
  memberDifferences(
    both(operations, (named) => new Map(named)),
    {
      origin,
      alone: (_each, name, verb) => ({ rule: `${kind}-${verb}`, place: `${kind}s/${name}`, name }),
      changed: (pair, name) =>
        placed(`${kind}s/${name}/`, compare(pair)).map((difference) => ({
          ...difference,
          rule: sentRule(difference.rule, kind)
        }))
    }
  )

/** Rules for requests by what they mean to a receiver; it is disputed whom the others break. */
const lost =
  /^(required-parameter-removed|parameter-became-optional|parameter-(style|explode|media-type)-changed|request-body-(removed|became-optional)|security-(removed|scheme-removed|scheme-changed|alternative-added))$/
const gained =
  /^((required|optional)-parameter-added|parameter-became-required|(required|optional)-request-body-added|request-body-became-required|security-(added|scheme-added))$/

function sentRule(rule: RuleId, kind: 'callback' | 'webhook'): RuleId {
  // Rules for texts are those of the direction in which they are sent.
  if (!isOperationRule(rule) || /-texts-|deprecated$/.test(rule)) return rule
  return lost.test(rule) ? `${kind}-part-lost` : gained.test(rule) ? `${kind}-part-gained` : `${kind}-changed`
}
