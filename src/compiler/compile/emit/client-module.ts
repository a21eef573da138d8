/**
 * Text of client.js: each operation is an export with the validators and features that its calls need, so that a bundle has
 * no others.
 */
import type { OwnFormats } from '@contract-first/contract'
import {
  type ClientFeatures,
  format,
  type Int64Node,
  type Int64Plan,
  type Operation,
  type RequestContent,
  type SecurityScheme
} from '@contract-first/engine/model'
import { formatImports, formatsSource, nameInCode } from '../../source/own-formats.ts'
import { quoted, Source, sourceOf } from '../../source/values.ts'
import type { CodeLanguage } from './code-language.ts'
import { Shared } from './operations-module.ts'

interface ClientData {
  readonly operations: readonly Operation[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly language: CodeLanguage
  /** Module that exports all features. */
  readonly featuresModule: string
  /** Module that exports the validators; by default that of the served operations. */
  readonly validatorsModule?: string
  /** Formats of the project's own. */
  readonly formats?: OwnFormats | undefined
}

export function clientModule({
  operations,
  securitySchemes,
  language,
  featuresModule,
  validatorsModule = `./validators.${language}`,
  formats
}: ClientData): string {
  const shared = new Shared()
  const clients = operations.map((operation, index) => {
    const { validators, features } = usesOf(operation, formats !== undefined)
    const members = {
      format: new Source('format'),
      securitySchemes: new Source('securitySchemes'),
      operation: shared.of(clientOperation(operation)),
      accept: acceptOf(operation),
      validators: new Source(`{ ${validators.join(', ')} }`),
      ...(formats && { formats: new Source('formats') }),
      features: new Source(`{ ${features.join(', ')} }`)
    }
    return { index, operation, members, validators, features }
  })
  const validators = [...new Set(clients.flatMap((client) => client.validators))]
  const features = [...new Set(clients.flatMap((client) => client.features))]
  const { names, text } = shared.constants()
  const constants = clients.map(
    ({ index, members }) => `const client${index} = ${sourceOf(members, { names })}\n`
  )
  const exported = clients.map(({ index, operation }) => `  client${index} as ${exportName(operation)}`)
  return [
    ...imports(features, featuresModule),
    ...imports(validators, validatorsModule),
    ...formatImports(formats),
    ...(formats ? [`const formats = ${formatsSource(formats, nameInCode)}\n`] : []),
    `const format = ${quoted(format)}\n`,
    `const securitySchemes = ${sourceOf(securitySchemes)}\n`,
    text,
    ...constants,
    `export {\n${exported.join(',\n')}\n}\n`
  ].join('')
}

/** Types of the exports. */
export function clientDeclaration(operations: readonly Operation[]): string {
  const constants = operations.map(
    ({ operationId }, index) =>
      `declare const client${index}: ClientOperation<ContractClient[${quoted(operationId)}]>\n`
  )
  const exported = operations.map((operation, index) => `  client${index} as ${exportName(operation)}`)
  return `import type { ClientOperation, ContractClient } from './types.ts'

${constants.join('')}export {\n${exported.join(',\n')}\n}\n`
}

/**
 * Returns all media types of the responses, because an error may have another one than a success. A
 * response without any may have all.
 */
export function acceptOf({ responses }: Operation): string {
  const contents = Object.values(responses).flatMap(({ content }) => content)
  return [...new Set(contents.map(({ mediaType }) => mediaType))].join(', ') || '*/*'
}

const imports = (names: readonly string[], module: string): string[] =>
  names.length === 0 ? [] : [`import { ${names.join(', ')} } from ${quoted(module)}\n`]

/** Any text may be the name of an export (ECMA-262, section 16.2.3). */
const exportName = ({ operationId }: Operation): string => JSON.stringify(operationId.toWellFormed())

/** Returns the names of the validators that a client of the operation calls. */
export const validatorsOf = (operation: Operation): readonly string[] => usesOf(operation).validators

interface Uses {
  readonly validators: readonly string[]
  readonly features: readonly (keyof ClientFeatures)[]
}

function usesOf(operation: Operation, hasFormats = false): Uses {
  const { parameters, validateParameters, requestBody, responses } = operation
  const sent = requestBody?.content ?? []
  const received = Object.values(responses).flatMap(({ content }) => content)
  const headers = Object.values(responses).flatMap((response) => response.headers)
  const forms = [...sent, ...received].flatMap(({ items }) => items?.forms ?? [])
  const receivedForms = received.flatMap(({ items }) => items?.forms ?? [])
  const validators = [
    validateParameters,
    ...sent.flatMap(({ validate, validateBytes }) => [validate, validateBytes]),
    ...[...received, ...headers, ...forms].map(({ validate }) => validate),
    ...[...received, ...headers, ...receivedForms].flatMap(({ int64 }) => conditionsOf(int64))
  ]
  const has = (...kinds: (RequestContent['kind'] | 'range')[]) =>
    sent.some(({ kind, mediaType }) => kinds.includes(mediaType.includes('*') ? 'range' : kind))
  const needs: Required<Record<keyof ClientFeatures, boolean>> = {
    form: has('form', 'range') || parameters.some(({ form }) => form !== undefined),
    multipart: has('multipart', 'range'),
    bytes: has('binary', 'text', 'range'),
    writeItems: sent.some(({ items }) => items !== undefined),
    readItems: received.some(({ items }) => items !== undefined),
    kindOf: [...sent, ...received].some(({ mediaType }) => mediaType.includes('*')),
    exactJson: received.some(({ int64 }) => int64 !== undefined),
    wire: hasFormats,
    header: headers.some(({ json, shape }) => json || shape !== undefined)
  }
  return {
    validators: [...new Set(validators.filter((name) => name !== undefined))],
    features: (Object.keys(needs) as (keyof ClientFeatures)[]).filter((name) => needs[name])
  }
}

const conditionsOf = (plan: Int64Plan | undefined): string[] =>
  Object.values(prunedPlan(plan)?.plans ?? {}).flatMap(({ parts = [] }) =>
    parts.flatMap(({ when }) => when ?? [])
  )

/** Leaves out what only servers need. */
function clientOperation(operation: Operation): object {
  const { operationId, method, path, security, parameters, validateParameters, requestBody, responses } =
    operation
  return {
    operationId,
    method,
    path,
    security,
    parameters: parameters.map(({ default: _default, apiKeys: _apiKeys, ...spec }) => spec),
    validateParameters,
    requestBody: requestBody && { ...requestBody, content: requestBody.content.map(sentContent) },
    responses: mapped(responses, ({ headers, content }) => {
      const pruned = <Part extends { readonly int64?: Int64Plan }>(part: Part) => {
        return { ...part, int64: prunedPlan(part.int64) }
      }
      const received = content.map(({ serialize: _serialize, items, ...each }) => {
        return { ...pruned(each), items: items && { ...items, forms: items.forms.map(pruned) } }
      })
      return { headers: headers.map(pruned), content: received }
    })
  }
}

function sentContent({ int64, limit: _limit, stream: _stream, items, ...content }: RequestContent): object {
  const forms = items?.forms.map(({ int64: _, ...form }) => form)
  // A client only asks whether there is an int64.
  return { ...content, int64: int64 && true, items: items && { ...items, forms } }
}

const mapped = <Value, Result>(object: Readonly<Record<string, Value>>, map: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))

/** Returns the part of a plan that its start leads to. */
function prunedPlan(plan: Int64Plan | undefined): Int64Plan | undefined {
  if (plan === undefined) return undefined
  const found = new Map<string, Int64Node>()
  const pending = [plan.start]
  for (const name of pending) {
    const node = plan.plans[name]
    if (node === undefined || found.has(name)) continue
    found.set(name, node)
    const { properties = {}, patterns = [], additional, items, prefixItems = [], parts = [] } = node
    const inner = [...Object.values(properties), ...patterns.map(([, child]) => child), additional, items]
    pending.push(
      ...[...inner, ...prefixItems, ...parts.map((part) => part.plan)].filter((child) => child != null)
    )
  }
  return { ...plan, plans: Object.fromEntries(found) }
}
