/** Reads the operations of a contract: resolves and checks what the server needs of each. */

import type { Contract, Operation as Declared, Problem } from '@contract-first/contract'
import { type BodyKind, bodyKind, isPatternOnly } from '@contract-first/engine/media-types'
import type { Items, Operation, RequestBody, RequestContent } from '@contract-first/engine/model'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import { type Parameter, parametersOf } from '../document/parameter-objects.ts'
import { dereference } from '../document/reference.ts'
import { bytesBodySchema } from '../document/schema-object.ts'
import type { LoadedContract } from '../load/load.ts'
import { contractProblem, modelOf } from '../model/contract-model.ts'
import type { Serializers } from '../shapes/serializers.ts'
import { Shapes } from '../shapes/shape.ts'
import type { Validators } from '../validators/validators.ts'
import { annotationsOf, noticesOf, strictQueryOf } from './annotations.ts'
import { conditionProblems } from './conditional-requests.ts'
import { fastifyPath } from './fastify-path.ts'
import { formFields, formProblems } from './form-fields.ts'
import { Int64Plans } from './int64-plan.ts'
import { ParameterReader } from './parameter-reader.ts'
import { parametersSchema } from './parameter-spec.ts'
import { labelOf, ResponseReader } from './read-responses.ts'
import { type Sequence, sequenceOf } from './sequence.ts'
import { isStreamed, streamProblems } from './streamed-content.ts'

export class OperationReader {
  readonly problems: ContractProblem[]
  readonly #contract: LoadedContract
  readonly #model: Contract
  readonly #parameters: ParameterReader
  readonly #validators: Validators
  readonly #responses: ResponseReader
  readonly #shapes: Shapes
  readonly #int64: Readonly<Record<'request' | 'multipart', Int64Plans>>

  constructor(contract: LoadedContract, validators: Validators, serializers: Serializers) {
    this.#contract = contract
    this.#validators = validators
    this.#responses = new ResponseReader(contract, validators, serializers)
    this.#shapes = new Shapes(contract.document)
    this.#parameters = new ParameterReader(contract, validators, this.#shapes)
    this.problems = this.#parameters.problems
    this.#model = modelOf(contract)
    const limits = this.#model.problems.filter(({ rule }) => rule === 'body-limit')
    this.problems.push(...limits.map(contractProblem))
    const { document } = contract
    const formats = contract.formats?.formats
    this.#int64 = {
      request: new Int64Plans(document, formats),
      multipart: new Int64Plans(document, formats)
    }
  }

  /** @param declared the operation in the model */
  read({ path, method, pathItem, node }: OperationNode, declared: Declared): Operation {
    const { document } = this.#contract
    const operationId = String(own(node, 'operationId'))
    const label = labelOf(operationId)
    const parameters = parametersOf(document, pathItem, node)
    const requestBody = dereference(document, own(node, 'requestBody'))
    const report = (problem: Problem) => void this.problems.push(contractProblem(problem))
    const operation: Operation = {
      operationId,
      method,
      path,
      ...annotationsOf(declared),
      ...noticesOf(declared, report),
      security: declared.security.map((all) =>
        all.map(({ scheme, scopes }) => ({ scheme: scheme.key, scopes }))
      ),
      ...strictQueryOf(declared, this.#model, report),
      parameters: parameters.map((parameter) => this.#parameters.read(parameter, node)),
      ...(parameters.length === 0
        ? {}
        : { validateParameters: this.#parametersValidator(parameters, label) }),
      ...this.#parametersInt64(parameters, label),
      ...(requestBody === undefined ? {} : { requestBody: this.#requestBody(requestBody, declared, label) }),
      responses: this.#responses.read(objectOf(own(node, 'responses')), label),
      url: fastifyPath(path)
    }
    conditionProblems(operation, declared).forEach(report)
    return operation
  }

  #parametersValidator(parameters: readonly Parameter[], label: string): string {
    for (const { name, schema } of parameters) this.#validators.share(schema, labelOf(`parameter_${name}`))
    const whole = parameters.find((parameter) => parameter.in === 'querystring')?.schema
    return this.#validators.addParameters(parametersSchema(parameters), `${label}_parameters`, whole)
  }

  /** Returns the int64 plan of parameters with `content`: other parameters become bigints while they are decoded. */
  #parametersInt64(parameters: readonly Parameter[], label: string): Pick<Operation, 'parametersInt64'> {
    const isText = ({ node }: Parameter) => own(node, 'content') !== undefined
    const texts = this.#contract.formats === undefined ? parameters.filter(isText) : parameters
    const plan = this.#int64.request.add(parametersSchema(texts), (branch) =>
      this.#validators.add('request', branch, `${label}_branch`)
    )
    return plan === undefined ? {} : { parametersInt64: plan }
  }

  #requestBody(node: JsonObject, { body }: Declared, label: string): RequestBody {
    const declared = Object.entries(objectOf(own(node, 'content')))
    if (declared.length === 0) {
      const message = 'this request body declares no media type: every body is answered 415'
      this.problems.push(this.#contract.locator.problem('warning', message, node, 'content'))
    }
    const content = declared.flatMap(([mediaType, value], index) => {
      const kind = bodyKind(mediaType)
      if (kind === undefined && !isPatternOnly(mediaType)) this.#unparsable(node, mediaType, declared)
      const media = objectOf(dereference(this.#contract.document, value))
      if (kind === undefined) return []
      const content = this.#requestContent(mediaType, kind, media, `${label}_body${index || ''}`)
      for (const { message, node, key } of formProblems(media, content, this.#shapes))
        this.problems.push(this.#contract.locator.problem('warning', message, node, key))
      for (const { severity, message, key } of streamProblems(this.#contract.document, media, content))
        this.problems.push(this.#contract.locator.problem(severity, message, media, key))
      const limit = body?.contents.find((each) => each.mediaType === mediaType)?.limit
      return [{ ...content, ...(limit !== undefined && { limit }) }]
    })
    return { required: own(node, 'required') === true, content }
  }

  #unparsable(node: JsonObject, mediaType: string, declared: readonly [string, Json][]): void {
    const noneIsParsable = declared.every(([type]) => bodyKind(type) === undefined)
    const content = objectOf(own(node, 'content'))
    const message = noneIsParsable
      ? `no media type of this request body can be parsed: every body is answered 415; ${mediaType} is declared`
      : `media type ${mediaType} cannot be parsed: such requests are answered 415`
    this.problems.push(this.#contract.locator.problem('warning', message, content, mediaType))
  }

  #requestContent(mediaType: string, kind: BodyKind, media: JsonObject, label: string): RequestContent {
    const schema = own(media, 'schema')
    const { document } = this.#contract
    const sequence = sequenceOf(mediaType, media, { document, shapes: this.#shapes })
    if (sequence !== undefined) return { mediaType, kind, items: this.#items(sequence, label) }
    // A range means that the body is parsed and validated by the media type that the client sends.
    const isRange = mediaType.includes('*')
    const stream = isStreamed(media, mediaType) ? { stream: true as const } : {}
    if (schema === undefined || (stream.stream && kind === 'binary')) return { mediaType, kind, ...stream }
    const bytes = kind === 'binary' || isRange ? bytesBodySchema(dereference(document, schema)) : undefined
    const bytesCheck = bytes && { validateBytes: this.#validators.add('multipart', bytes, `${label}_bytes`) }
    if (kind === 'binary' && !isRange) return { mediaType, kind, ...bytesCheck }
    const view = kind === 'multipart' ? 'multipart' : 'request'
    const validate = this.#validators.add(view, schema, label)
    const isForm = kind === 'form' || kind === 'multipart'
    const form = { document, shapes: this.#shapes, kind }
    return {
      mediaType,
      kind,
      ...stream,
      validate,
      ...bytesCheck,
      ...(isForm || isRange ? formFields(media, form) : {}),
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

  #int64Of(schema: Json, view: 'request' | 'multipart', label: string): Pick<RequestContent, 'int64'> {
    const plan = this.#int64[view].add(schema, (branch) =>
      this.#validators.add(view, branch, `${label}_branch`)
    )
    return plan === undefined ? {} : { int64: plan }
  }
}
