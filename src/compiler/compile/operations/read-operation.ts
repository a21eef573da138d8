/** Reads the operations of a contract: resolves and checks what the server needs of each. */
import {
  type Body,
  type Content,
  type Contract,
  type ContractProblem,
  contractProblem,
  type Operation as Declared,
  type Parameter,
  type Problem,
  type Schema
} from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import { bodyKind, isPatternOnly } from '@contract-first/engine/media-types'
import type { Items, Operation, RequestBody, RequestContent } from '@contract-first/engine/model'
import type { Serializers } from '../shapes/serializers.ts'
import type { Validators } from '../validators/validators.ts'
import { annotationsOf, noticesOf, strictQueryOf } from './annotations.ts'
import { boundsOfBytes, streamProblems } from './bytes.ts'
import { conditionProblems } from './conditional-requests.ts'
import { fastifyPath } from './fastify-path.ts'
import { formFields, formProblems } from './form-fields.ts'
import { Int64Plans } from './int64-plan.ts'
import { ParameterReader } from './parameter-reader.ts'
import { parametersSchema, schemaOf } from './parameter-spec.ts'
import { labelOf, ResponseReader } from './read-responses.ts'
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
