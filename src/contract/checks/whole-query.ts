/** Checks a parameter that is the whole query: `in: querystring` (OpenAPI 3.2.0, section 4.12.1). */
import { bodyKind } from '@contract-first/engine/media-types'
import { type OperationNode, queryKeysOf } from '../document/operation-objects.ts'
import type { Parameter } from '../document/parameter-objects.ts'
import { type JsonObject, objectOf, own } from '../model/json.ts'
import type { Reporter } from './reporter.ts'

export function checkWholeQuery(
  parameters: readonly Parameter[],
  operation: OperationNode,
  document: JsonObject,
  reporter: Reporter
): void {
  const [whole, ...others] = parameters.filter((parameter) => parameter.in === 'querystring')
  if (whole === undefined) return
  const beside = parameters.filter((parameter) => parameter.in === 'query')
  for (const { name, node } of [...others, ...beside])
    reporter.error(`parameter ${name} is in the query, and ${whole.name} is the whole query`, node, 'in')
  checkFields(whole, reporter)
  checkMediaType(whole, queryKeysOf(document, operation.node), reporter)
}

/** Fields that describe how a schema is written as text, which `content` does here. */
const ofSchemas = ['style', 'explode', 'allowReserved', 'allowEmptyValue']

function checkFields({ name, node }: Parameter, { warn }: Reporter): void {
  for (const field of ofSchemas.filter((each) => own(node, each) !== undefined))
    warn(`${field} of ${name} has no effect: its content says how the query is written`, node, field)
}

function checkMediaType({ name, node }: Parameter, keys: readonly string[], { error }: Reporter): void {
  const content = own(node, 'content')
  if (content === undefined)
    error(`parameter ${name} is the whole query: it needs a content with one media type`, node, 'in')
  for (const mediaType of Object.keys(objectOf(content))) {
    const kind = mediaType.includes('*') ? undefined : bodyKind(mediaType)
    if (kind === undefined || kind === 'multipart')
      error(`a query cannot be ${mediaType}: write a form, JSON or a text`, content, mediaType)
    else if (kind !== 'form' && keys.length > 0)
      error(`parameter ${name} is the whole query, which has no place for the API key ${keys[0]}`, node, 'in')
  }
}
