/** Reads the parameters of an operation, with their defaults, and the form that is a whole query. */
import { isDeepStrictEqual } from 'node:util'
import {
  defaultsOf,
  type Operation,
  type Parameter,
  type Problem,
  type Schema
} from '@contract-first/contract'
import type { ParameterSpec } from '@contract-first/engine/model'
import type { Validators } from '../validators/validators.ts'
import { formFields, formProblems } from './form-fields.ts'
import { parameterSpec, schemaOf } from './parameter-spec.ts'

export class ParameterReader {
  readonly #validators: Validators
  readonly #report: (problem: Problem) => void
  /** Results of validating defaults, by schema. */
  readonly #fitting = new Map<Schema, boolean>()

  constructor(validators: Validators, report: (problem: Problem) => void) {
    this.#validators = validators
    this.#report = report
  }

  /** Drops a default that its own schema refuses: it would refuse every request without the parameter. */
  read(parameter: Parameter, operation: Operation): ParameterSpec {
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
  #queryForm(parameter: Parameter, operation: Operation): Pick<ParameterSpec, 'form' | 'apiKeys'> {
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
