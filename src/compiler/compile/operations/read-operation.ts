/** Reads the operations of a contract: resolves and checks what the server needs of each. */
import { isDeepStrictEqual } from 'node:util'
import {
  anyValue,
  type Body,
  type Content,
  type Contract,
  type ContractProblem,
  contractProblem,
  type Operation as Declared,
  type Response as DeclaredResponse,
  defaultsOf,
  type Header,
  type OwnFormats,
  type Parameter,
  type Problem,
  type Schema
} from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import { bodyKind, isPatternOnly } from '@contract-first/engine/media-types'
import {
  connectionHeaders,
  type Int64Plan,
  type Items,
  type Operation,
  type ParameterSpec,
  type RequestBody,
  type RequestContent,
  type Response,
  type ResponseContent,
  type ResponseHeader
} from '@contract-first/engine/model'
import type { Serializers } from '../shapes/serializers.ts'
import type { Validators } from '../validators/validators.ts'
import {
  annotationsOf,
  boundsOfBytes,
  conditionProblems,
  noticesOf,
  streamProblems,
  strictQueryOf
} from './annotations.ts'
import { fastifyPath } from './fastify-path.ts'
import { formFields, formProblems } from './form-fields.ts'
import { Int64Plans } from './int64-plan.ts'
import { parameterSpec, parametersSchema, schemaOf, textShape } from './parameter-spec.ts'
import { type Sequence, sequenceOf } from './sequence.ts'

type View = 'request' | 'multipart'

export class OperationReader {
  readonly problems: ContractProblem[] = []
  readonly #model: Contract
  readonly #parameters: ParameterReader
  readonly #validators: Validators
  readonly #responses: ResponseReader
  readonly #int64: Readonly<Record<View, Int64Plans>>
  readonly #hasFormats: boolean

  constructor(contract: LoadedContract, validators: Validators, serializers: Serializers) {
    const formats = contract.formats?.formats
    this.#hasFormats = formats !== undefined
    this.#validators = validators
    this.#responses = new ResponseReader(formats, validators, serializers)
    this.#parameters = new ParameterReader(validators, this.#report)
    this.#int64 = { request: new Int64Plans(formats), multipart: new Int64Plans(formats) }
    this.#model = contract.model
  }

  read(declared: Declared): Operation {
    const { id, method, parameters, body } = declared
    const path = declared.direction === 'served' ? declared.path : ''
    const label = labelOf(id)
    const operation: Operation = {
      operationId: id,
      method,
      path,
      ...annotationsOf(declared),
      ...noticesOf(declared, this.#report),
      security: declared.security.map((all) =>
        all.map(({ scheme, scopes }) => ({ scheme: scheme.key, scopes }))
      ),
      ...strictQueryOf(declared, this.#model, this.#report),
      parameters: parameters.map((parameter) => this.#parameters.read(parameter, declared)),
      ...(parameters.length > 0 && { validateParameters: this.#parametersValidator(declared, label) }),
      ...this.#parametersInt64(declared, label),
      ...(body && { requestBody: this.#requestBody(body, label) }),
      responses: this.#responses.read(declared, label),
      url: fastifyPath(path)
    }
    conditionProblems(operation, declared).forEach(this.#report)
    return operation
  }

  readonly #report = (problem: Problem): void => {
    this.problems.push(contractProblem(problem))
  }

  #parametersValidator(operation: Declared, label: string): string {
    const { parameters } = operation
    for (const parameter of parameters)
      this.#validators.share(schemaOf(parameter), labelOf(`parameter_${parameter.name}`))
    const whole = parameters.find((parameter) => parameter.in === 'querystring')
    const schema = parametersSchema(operation, parameters)
    return this.#validators.addParameters(schema, `${label}_parameters`, whole && schemaOf(whole))
  }

  /** Returns the int64 plan of parameters with `content`: other parameters become bigints while they are decoded. */
  #parametersInt64(operation: Declared, label: string): Pick<Operation, 'parametersInt64'> {
    const isText = ({ content }: Parameter) => content !== undefined
    const texts = this.#hasFormats ? operation.parameters : operation.parameters.filter(isText)
    const { int64 } = this.#int64Of(parametersSchema(operation, texts), 'request', label)
    return int64 === undefined ? {} : { parametersInt64: int64 }
  }

  #requestBody(body: Body, label: string): RequestBody {
    const { required, contents } = body
    if (contents.length === 0)
      this.#warn(body, 'this request body declares no media type: every body is answered 415', ['content'])
    const content = contents.flatMap((declared, index) => {
      const { mediaType, limit } = declared
      if (bodyKind(mediaType) === undefined) {
        if (!isPatternOnly(mediaType)) this.#unparsable(body, mediaType)
        return []
      }
      const read = this.#requestContent(declared, `${label}_body${index || ''}`)
      formProblems(declared, read.fields).forEach(this.#report)
      streamProblems(declared).forEach(this.#report)
      return [{ ...read, ...(limit !== undefined && { limit }) }]
    })
    return { required, content }
  }

  #unparsable(body: Body, mediaType: string): void {
    const noneIsParsable = body.contents.every((each) => bodyKind(each.mediaType) === undefined)
    const message = noneIsParsable
      ? `no media type of this request body can be parsed: every body is answered 415; ${mediaType} is declared`
      : `media type ${mediaType} cannot be parsed: such requests are answered 415`
    this.#warn(body, message, ['content', mediaType])
  }

  #warn({ origin }: Body, message: string, at: readonly string[]): void {
    this.#report({ severity: 'warning', rule: 'media-type', message, origin: origin.at(...at) })
  }

  #requestContent(declared: Content, label: string): RequestContent {
    const { mediaType, isRange, isStreamed, schema } = declared
    const kind = bodyKind(mediaType) as RequestContent['kind']
    const sequence = sequenceOf(declared)
    if (sequence !== undefined) return { mediaType, kind, items: this.#items(sequence, label) }
    const stream = isStreamed && { stream: true as const }
    if (schema === undefined || (isStreamed && kind === 'binary')) return { mediaType, kind, ...stream }
    // A range means that the body is parsed and validated by the media type that the client sends.
    const bytes = kind === 'binary' || isRange ? boundsOfBytes(schema) : undefined
    const bytesCheck = bytes && { validateBytes: this.#validators.add('multipart', bytes, `${label}_bytes`) }
    if (kind === 'binary' && !isRange) return { mediaType, kind, ...bytesCheck }
    const view = kind === 'multipart' ? 'multipart' : 'request'
    const isForm = kind === 'form' || kind === 'multipart'
    return {
      mediaType,
      kind,
      ...stream,
      validate: this.#validators.add(view, schema, label),
      ...bytesCheck,
      ...((isForm || isRange) && formFields(declared)),
      ...this.#int64Of(schema, view, label)
    }
  }

  #items({ forms, ...sequence }: Sequence, label: string): Items {
    const items = forms.map(({ isText, schema }) => ({
      ...(isText && { isText }),
      validate: this.#validators.add('request', schema, `${label}_item`),
      ...this.#int64Of(schema, 'request', label)
    }))
    return { ...sequence, forms: items }
  }

  #int64Of(schema: Schema, view: View, label: string): Pick<RequestContent, 'int64'> {
    const plan = this.#int64[view].add(schema, (branch) =>
      this.#validators.add(view, branch, `${label}_branch`)
    )
    return plan === undefined ? {} : { int64: plan }
  }
}

class ParameterReader {
  readonly #validators: Validators
  readonly #report: (problem: Problem) => void
  /** Results of validating defaults, by schema. */
  readonly #fitting = new Map<Schema, boolean>()

  constructor(validators: Validators, report: (problem: Problem) => void) {
    this.#validators = validators
    this.#report = report
  }

  /** Drops a default that its own schema refuses: it would refuse every request without the parameter. */
  read(parameter: Parameter, operation: Declared): ParameterSpec {
    const { default: standard, ...read } = parameterSpec(parameter)
    this.#checkEmptyValue(parameter, read)
    const spec = parameter.in === 'querystring' ? { ...read, ...this.#queryForm(parameter, operation) } : read
    const { name } = parameter
    const schema = schemaOf(parameter)
    const defaults = defaultsOf(schema)
    if (standard === undefined) {
      if (defaults.length > 0)
        this.#warn(parameter, `parameter ${name} is required, so its default is not applied`)
      return spec
    }
    if (!this.#fits(schema, standard)) {
      this.#warn(parameter, `the default of parameter ${name} does not fit its schema and is not applied`)
      return spec
    }
    const [first, ...others] = defaults
    if (others.some((other) => !isDeepStrictEqual(other, first)))
      this.#warn(parameter, `the schema of parameter ${name} has several defaults: the first one applies`)
    return { ...spec, default: standard }
  }

  /** Returns the fields of a whole query that is a form (OpenAPI 3.2.0, section 4.12.1). */
  #queryForm(parameter: Parameter, operation: Declared): Pick<ParameterSpec, 'form' | 'apiKeys'> {
    const { content } = parameter
    if (content?.kind !== 'form') return {}
    const form = formFields(content)
    formProblems(content, form.fields).forEach(this.#report)
    const apiKeys = operation.security
      .flat(1)
      .flatMap(({ scheme }) => (scheme.type === 'apiKey' && scheme.in === 'query' ? scheme : []))
      .map((scheme) => String(scheme.parameter))
    for (const { name } of form.fields.filter((field) => apiKeys.includes(field.name)))
      this.#warn(parameter, `the field ${name} of the query is never read: it is the API key`, 'content')
    return { form, ...(apiKeys.length > 0 && { apiKeys }) }
  }

  /** Reports `allowEmptyValue` (OpenAPI 3.1.0, section 4.8.12.2) of a schema without an empty value: it decides alone. */
  #checkEmptyValue(parameter: Parameter, { shape, explode }: ParameterSpec): void {
    if (parameter.in !== 'query' || !parameter.allowEmptyValue) return
    const isNull = shape.types.includes('null') && !shape.types.includes('string')
    const readings = ['', explode ? [''] : [], ...(isNull ? [null] : [])]
    if (readings.some((reading) => this.#validators.accepts(schemaOf(parameter), reading))) return
    const key = 'allowEmptyValue'
    const message = `${key} of ${parameter.name} has no effect: an empty value is an empty text, which its schema refuses`
    this.#warn(parameter, message, key)
  }

  #warn({ origin }: Parameter, message: string, key = 'schema'): void {
    this.#report({ severity: 'warning', rule: 'parameter', message, origin: origin.at(key) })
  }

  #fits(schema: Schema, standard: unknown): boolean {
    const known = this.#fitting.get(schema)
    const fits = known ?? this.#validators.accepts(schema, standard)
    this.#fitting.set(schema, fits)
    return fits
  }
}

class ResponseReader {
  readonly #validators: Validators
  readonly #serializers: Serializers
  readonly #int64: Int64Plans
  readonly #hasFormats: boolean

  constructor(formats: OwnFormats | undefined, validators: Validators, serializers: Serializers) {
    this.#validators = validators
    this.#serializers = serializers
    this.#int64 = new Int64Plans(formats)
    this.#hasFormats = formats !== undefined
  }

  /** @param label prefix for the names of validators and serializers */
  read({ responses }: Declared, label: string): Record<string, Response> {
    const read = [...responses].map(([status, response]) => [
      status,
      this.#response(response, `${label}_${status}`)
    ])
    return Object.fromEntries(read)
  }

  #response({ headers, contents }: DeclaredResponse, label: string): Response {
    const sent = [...headers].filter(([name]) => !connectionHeaders.has(name.toLowerCase()))
    const content = contents.filter(({ mediaType }) => !isPatternOnly(mediaType))
    return {
      headers: sent.map(([name, header], index) => this.#header(name, header, `${label}_header${index}`)),
      content: content.map((each, index) => this.#content(each, `${label}_${index || ''}`))
    }
  }

  #header(name: string, header: Header, label: string): ResponseHeader {
    const schema = schemaOf(header)
    const isJson = header.content?.kind === 'json'
    const plan = isJson ? this.#int64Of(schema, label) : this.#formatsOf(schema, label)
    return {
      name: name.toLowerCase(),
      required: header.required,
      ...(schema !== anyValue && { validate: this.#validators.add('response', schema, label) }),
      ...(isJson ? { json: true } : this.#shapeOf(schema, plan.int64 !== undefined)),
      ...plan,
      ...(header.explode && { explode: true })
    }
  }

  /** Returns the plan of a text, which has int64 by its shape. */
  #formatsOf(schema: Schema, label: string): { readonly int64?: Int64Plan } {
    const found = this.#hasFormats ? this.#int64Of(schema, label) : {}
    return found.int64?.formats ? found : {}
  }

  /** A text that is not parsed needs no shape. */
  #shapeOf(schema: Schema, isParsed: boolean): Pick<ResponseHeader, 'shape'> {
    const shape = textShape([schema])
    const { types, ...parts } = shape
    const isText = types.every((type) => type === 'string') && Object.keys(parts).length === 0
    return isText && !isParsed ? {} : { shape }
  }

  #content(declared: Content, label: string): ResponseContent {
    const { mediaType, isRange, isStreamed, schema = anyValue } = declared
    const kind = bodyKind(mediaType)
    if (kind === 'json' || isRange) {
      const validate = this.#validators.add('response', schema, label)
      const serialize = this.#serializers.add(schema, labelOf(label))
      return { mediaType, kind, validate, serialize, ...this.#int64Of(schema, label) }
    }
    const sequence = sequenceOf(declared)
    if (sequence !== undefined) return { mediaType, kind, items: this.#items(sequence, label) }
    if (kind === 'text') {
      const validate = this.#validators.add('response', schema, label)
      return { mediaType, kind, validate, ...this.#formatsOf(schema, label) }
    }
    return { mediaType, kind, ...(isStreamed && { stream: true as const }) }
  }

  #items({ forms, ...sequence }: Sequence, label: string): Items {
    const items = forms.map(({ isText, schema, data }) => {
      const validate = this.#validators.add('response', schema, `${label}_item`)
      return isText
        ? { isText, validate }
        : {
            validate,
            serialize: this.#serializers.add(data, labelOf(`${label}_item`)),
            ...this.#int64Of(schema, label)
          }
    })
    return { ...sequence, forms: items }
  }

  #int64Of(schema: Schema, label: string): { readonly int64?: Int64Plan } {
    const plan = this.#int64.add(schema, (branch) =>
      this.#validators.add('response', branch, `${label}_branch`)
    )
    return plan === undefined ? {} : { int64: plan }
  }
}

export function labelOf(name: string): string {
  return `_${name.replaceAll(/[^A-Za-z0-9_]/g, '_')}`.replace(/^_(?=[A-Za-z])/, '')
}
