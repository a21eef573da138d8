/** Reads the parameters of an operation, with their defaults, and the form that is a whole query. */
import { isDeepStrictEqual } from 'node:util'
import { bodyKind } from '@contract-first/engine/media-types'
import type { ParameterSpec } from '@contract-first/engine/model'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { queryKeysOf } from '../document/operation-objects.ts'
import type { Parameter } from '../document/parameter-objects.ts'
import { dereference } from '../document/reference.ts'
import type { LoadedContract } from '../load/load.ts'
import type { Shapes } from '../shapes/shape.ts'
import type { Validators } from '../validators/validators.ts'
import { formFields, formProblems } from './form-fields.ts'
import { defaultsOf, parameterSpec } from './parameter-spec.ts'

export class ParameterReader {
  readonly problems: ContractProblem[] = []
  readonly #contract: LoadedContract
  readonly #validators: Validators
  readonly #shapes: Shapes
  /** Results of validating defaults, by schema. */
  readonly #fitting = new Map<Json, boolean>()

  constructor(contract: LoadedContract, validators: Validators, shapes: Shapes) {
    this.#contract = contract
    this.#validators = validators
    this.#shapes = shapes
  }

  /** Drops a default that its own schema refuses: it would refuse every request without the parameter. */
  read(parameter: Parameter, operation: JsonObject): ParameterSpec {
    const { default: standard, ...read } = parameterSpec(parameter, this.#contract.document, this.#shapes)
    this.#checkEmptyValue(parameter, read)
    const spec = parameter.in === 'querystring' ? { ...read, ...this.#queryForm(parameter, operation) } : read
    if (standard === undefined) return this.#withoutDefault(parameter, spec)
    const { name, node, schema } = parameter
    if (!this.#fits(schema, standard)) {
      this.#warn(`the default of parameter ${name} does not fit its schema and is not applied`, node)
      return spec
    }
    const [first, ...others] = defaultsOf(this.#contract.document, schema)
    if (others.some((other) => !isDeepStrictEqual(other, first)))
      this.#warn(`the schema of parameter ${name} has several defaults: the first one applies`, node)
    return { ...spec, default: standard }
  }

  /** Returns the fields of a whole query that is a form (OpenAPI 3.2.0, section 4.12.1). */
  #queryForm({ node }: Parameter, operation: JsonObject): Pick<ParameterSpec, 'form' | 'apiKeys'> {
    const { document, locator } = this.#contract
    const [[mediaType, value] = ['', {}]] = Object.entries(objectOf(own(node, 'content')))
    const kind = bodyKind(mediaType)
    if (kind !== 'form') return {}
    const media = objectOf(dereference(document, value))
    const form = formFields(media, { document, shapes: this.#shapes, kind })
    for (const { message, node, key } of formProblems(media, { mediaType, kind, ...form }, this.#shapes))
      this.problems.push(locator.problem('warning', message, node, key))
    const apiKeys = queryKeysOf(document, operation)
    for (const { name } of form.fields.filter((field) => apiKeys.includes(field.name))) {
      const message = `the field ${name} of the query is never read: it is the API key`
      this.problems.push(locator.problem('warning', message, node, 'content'))
    }
    return { form, ...(apiKeys.length > 0 && { apiKeys }) }
  }

  /** Reports `allowEmptyValue` (OpenAPI 3.1.0, section 4.8.12.2) of a schema without an empty value: it decides alone. */
  #checkEmptyValue({ in: place, name, node, schema }: Parameter, { shape, explode }: ParameterSpec): void {
    const key = 'allowEmptyValue'
    if (place !== 'query' || own(node, key) !== true) return
    const isNull = shape.types.includes('null') && !shape.types.includes('string')
    const readings = ['', explode ? [''] : [], ...(isNull ? [null] : [])]
    if (readings.some((reading) => this.#validators.accepts(schema, reading))) return
    const message = `${key} of ${name} has no effect: an empty value is an empty text, which its schema refuses`
    this.problems.push(this.#contract.locator.problem('warning', message, node, key))
  }

  #withoutDefault({ name, node, schema }: Parameter, spec: ParameterSpec): ParameterSpec {
    if (defaultsOf(this.#contract.document, schema).length === 0) return spec
    this.#warn(`parameter ${name} is required, so its default is not applied`, node)
    return spec
  }

  #warn(message: string, parameter: JsonObject): void {
    this.problems.push(this.#contract.locator.problem('warning', message, parameter, 'schema'))
  }

  #fits(schema: Json, standard: unknown): boolean {
    const known = this.#fitting.get(schema)
    const fits = known ?? this.#validators.accepts(schema, standard)
    this.#fitting.set(schema, fits)
    return fits
  }
}
