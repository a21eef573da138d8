/**
 * Determines how the fields of a form are decoded, the media types of their parts, and which encodings have no effect
 * (OpenAPI 3.1.0, sections 4.8.14.3, 4.8.14.4 and 4.8.15).
 */
import {
  allUnnamed,
  anyValue,
  type Content,
  type Encoding,
  holdsBytes,
  isUnconstrained,
  merged,
  type Problem,
  partsAndItems,
  type Schema
} from '@contract-first/contract'
import { bodyKind, parseMediaType } from '@contract-first/engine/media-types'
import type { FieldSpec, FormFields } from '@contract-first/engine/model'
import { textShape } from './parameter-spec.ts'

type Rules = Pick<Encoding, 'contentTypes' | 'style' | 'explode' | 'allowReserved'>

const noRules: Rules = { contentTypes: [] }

/** Returns the fields of a form, of a body or of a whole query. */
export function formFields(content: Content): FormFields & { readonly fields: readonly FieldSpec[] } {
  const whole = merged([content.schema ?? anyValue])
  const isMultipart = content.kind === 'multipart'
  const fields = [...whole.properties].map(([name, schemas]) =>
    fieldSpec(name, schemas, content.fields.get(name) ?? noRules, isMultipart)
  )
  const others = allUnnamed(whole)
  const isDeclared = others.some((schema) => !isUnconstrained(schema))
  return { fields, ...(isDeclared && { additional: fieldSpec('', others, noRules, isMultipart) }) }
}

/** Styles of a field (OpenAPI 3.2.0, section 4.15.1.1), the default one first. */
const styles = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const

function fieldSpec(name: string, schemas: readonly Schema[], rules: Rules, isMultipart: boolean): FieldSpec {
  const { types, items } = merged(schemas)
  const isList = types?.has('array') === true
  const isStructured = types?.has('object') === true && (isMultipart || !isList)
  // A style decides instead of the media type (OpenAPI 3.1.0, section 4.8.15.1).
  const isByStyle = !isMultipart && isStyled(rules)
  const isJson = !isByStyle && (hasType(rules, 'json') || isStructured)
  const json = isJson && { json: true as const }
  const style = styles.find((each) => each === rules.style) ?? styles[0]
  const shape = textShape(schemas)
  const spec = {
    name,
    in: 'query' as const,
    key: name,
    required: false,
    style,
    explode: rules.explode ?? style === 'form',
    ...(rules.allowReserved === true && { allowReserved: true })
  }
  const itemTypes = merged(items).types
  const hasNested = isList && (itemTypes?.has('object') || itemTypes?.has('array'))
  const isOnlyList = shape.types.every((type) => type === 'null')
  if (!isMultipart)
    return hasNested && isOnlyList && !isByStyle && !isJson
      ? { ...spec, shape, jsonItems: true }
      : { ...spec, ...json, shape }
  const part = { ...spec, shape, ...partTypes(schemas, rules) }
  if (isList && (isJson || hasNested)) return { ...part, jsonItems: true }
  const isBinary =
    schemas.some((schema) => mayHoldBytes(schema)) || (types === undefined && hasType(rules, 'binary'))
  return isBinary ? { ...part, bytes: true } : { ...part, ...json }
}

/** Fields of an encoding object that say how a value is written as text. */
const styleKeys = ['style', 'explode', 'allowReserved'] as const
const isStyled = (rules: Rules): boolean => styleKeys.some((key) => rules[key] !== undefined)

const hasType = ({ contentTypes }: Rules, kind: 'json' | 'binary'): boolean =>
  contentTypes.some((type) => bodyKind(type) === kind)

/** Returns the schemas of a value or its items, in the order of the contract: compositions, targets and items. */
function schemasWithin(schema: Schema): ReadonlySet<Schema> {
  const found = new Set<Schema>()
  const pending = [schema]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue
    found.add(next)
    pending.push(...partsAndItems(next).reverse())
  }
  return found
}

const mayHoldBytes = (schema: Schema): boolean => [...schemasWithin(schema)].some(holdsBytes)

/** @param rules the encoding of the field, which overrides its schemas */
function partTypes(
  schemas: readonly Schema[],
  { contentTypes: listed }: Rules
): Pick<FieldSpec, 'contentTypes' | 'transferEncoding'> {
  const strings = schemas
    .flatMap((schema) => [...schemasWithin(schema)])
    .filter(({ types }) => types?.has('string') === true)
    .map(({ content }) => content)
  const ofSchemas = strings.flatMap((content) =>
    content?.mediaType === undefined || content.encoding !== undefined ? [] : content.mediaType
  )
  const contentTypes = listed.length > 0 ? listed : ofSchemas.length < strings.length ? [] : ofSchemas
  const [encoding] = strings.flatMap((content) => content?.encoding ?? [])
  return {
    ...(contentTypes.length > 0 &&
      contentTypes.every(isMediaType) && { contentTypes: [...new Set(contentTypes)] }),
    ...(encoding !== undefined && { transferEncoding: encoding.toLowerCase() })
  }
}

const isMediaType = (text: string): boolean => parseMediaType(text) !== undefined

/**
 * Returns what has no effect in a body, or in a whole query that is a form.
 * @param fields those that are read
 */
export function formProblems(content: Content, fields: readonly FieldSpec[] = []): Problem[] {
  const { mediaType, kind, isRange, sequence, schema, origin } = content
  const isForm = kind === 'form' || kind === 'multipart'
  const isText = kind === 'text' && sequence === undefined && !isRange
  const { types = new Set() } = merged([schema ?? anyValue])
  const fits = isForm ? types.has('object') : !isText || types.has('string')
  const warning = (message: string, at: Problem['origin']): Problem => ({
    severity: 'warning',
    rule: 'encoding',
    message,
    origin: at
  })
  if (types.size > 0 && !fits) {
    const read = isForm ? 'an object of its fields' : 'a string'
    return [warning(`no body fits: ${mediaType} is read as ${read}`, origin.at('schema'))]
  }
  if (content.fields.size === 0 || isRange) return []
  if (!isForm) return [warning('encoding has no effect: only forms have fields', origin.at('encoding'))]
  return [...content.fields].flatMap(([name, rules]) => {
    if (fields.some((field) => field.name === name))
      return [...rulesWithoutEffect(name, rules, kind)].map(([key, message]) =>
        warning(message, rules.origin.at(key))
      )
    const message = `the encoding of ${name} has no effect: the schema declares no such field`
    return [warning(message, origin.at('encoding', name))]
  })
}

/** Returns rules of a field that have no effect, each with what is said of it. */
function* rulesWithoutEffect(
  name: string,
  rules: Encoding,
  kind: 'form' | 'multipart'
): Generator<[key: string, message: string]> {
  const { contentTypes, headers } = rules
  for (const type of contentTypes)
    if (!isMediaType(type))
      yield ['contentType', `contentType of ${name} is not enforced: ${type} is not a media type`]
  if (kind === 'form' && !contentTypes.every((type) => bodyKind(type) === 'json'))
    yield ['contentType', `contentType of ${name} is not enforced: fields of this form have none`]
  if (kind === 'form' && contentTypes.length > 0 && isStyled(rules))
    yield ['contentType', `contentType of ${name} has no effect beside ${styleKeys.join(', ')}`]
  if (headers.size > 0) yield ['headers', `headers of the part ${name} are not enforced`]
}
