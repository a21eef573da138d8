/** The component schemas of a contract as functions for texts and values that come by no request: queues, files. */
import { MalformedJson, parseExactJson } from '../json/parse.ts'
import { restoreInt64 } from '../json/restore-int64.ts'
import type { CompiledCode, Validator } from '../model/compiled-contract.ts'
import type { SchemaCodec } from '../model/contract-types.ts'
import { format } from '../model/format.ts'
import type { DeclaredShape, Int64Plan } from '../model/value-plans.ts'
import { declaredOnly, exactStringify } from '../runtime/serializers.ts'
import { wireValues } from '../runtime/wire-values.ts'
import { depthFailure, isFailure, type Problem } from '../server/errors/failure.ts'
import { collectProblems, sentence } from '../server/errors/validation-problems.ts'

/** Functions for the values that a handler sends; `received` has those for the values that it receives. */
export interface ComponentSchema<Sent, Received = Sent> extends SchemaCodec<Sent> {
  readonly received: SchemaCodec<Received>
}

interface SideForm {
  readonly validate: Validator
  /** Name of the plan of its int64. */
  readonly int64?: string
  readonly shape: number
}

/** Tables of generated/schemas.js. */
interface SchemaTables {
  readonly format: string
  /** Tables of the values of one side; `received` is absent where no schema has `readOnly` or `writeOnly`. */
  readonly sent: SideTables
  readonly received?: SideTables
  /** Validators that the plans name. */
  readonly validators: CompiledCode['validators']
  readonly formats?: CompiledCode['formats']
}

interface SideTables {
  readonly schemas: Readonly<Record<string, SideForm>>
  readonly shapes: readonly DeclaredShape[]
  readonly plans: Int64Plan['plans']
}

/** @throws {Error} for code that another version of the compiler has generated */
export function componentSchemas(tables: SchemaTables): Readonly<Record<string, ComponentSchema<unknown>>> {
  if (tables.format !== format)
    throw new Error('generated/schemas.js is of another version of the engine; run npm run generate')
  const { sent, received } = tables
  const codecs = Object.keys(sent.schemas).map((name) => {
    const own = codecOf(name, formIn(sent, name, tables))
    const other = received !== undefined && Object.hasOwn(received.schemas, name) ? received : undefined
    const codec = other === undefined ? own : codecOf(name, formIn(other, name, tables))
    return [name, { ...own, received: codec }] as const
  })
  return Object.fromEntries(codecs)
}

function formIn(
  { schemas, shapes, plans }: SideTables,
  name: string,
  { validators, formats }: SchemaTables
): JsonForm {
  const { validate, int64: start, shape } = schemas[name] as SideForm
  const int64 = start === undefined ? undefined : { start, plans, ...(formats && { formats: true as const }) }
  return { validate, int64, code: { validators, ...(formats && { formats }) }, shapes, shape }
}

function codecOf(schema: string, form: JsonForm): SchemaCodec<unknown> {
  return {
    parse: (text) =>
      guarded(schema, () => {
        const read = checkedJson(decodedText(text), form, place)
        if ('findings' in read) throw mismatch(schema, read.findings)
        return read.value
      }),
    check: (value) => {
      try {
        guarded(schema, () => assertValid(value, schema, form))
        return []
      } catch (error) {
        if (error instanceof SchemaMismatch) return error.problems
        throw error
      }
    },
    stringify: (value) =>
      guarded(schema, () => {
        assertValid(value, schema, form)
        return exactStringify(declaredOnly(wired(value, form), form.shapes, form.shape))
      })
  }
}

const mismatch = (schema: string, { problems, omitted }: Findings): SchemaMismatch =>
  new SchemaMismatch(schema, problems, omitted)

/** @throws {SchemaMismatch} */
function assertValid(value: unknown, schema: string, form: JsonForm): void {
  if (['undefined', 'function', 'symbol'].includes(typeof value))
    throw wholeMismatch(schema, 'is no JSON value')
  const findings = findingsIn(wired(value, form), form, place)
  if (findings !== undefined) throw mismatch(schema, findings)
}

/** Turns what is wrong with the whole text or value into a mismatch. */
function guarded<T>(schema: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isFailure(depthFailure(place, error))) throw wholeMismatch(schema, 'is nested too deeply', error)
    if (error instanceof MalformedJson) throw wholeMismatch(schema, error.message, error)
    throw error
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws {MalformedJson} for bytes that are not UTF-8; a byte order mark is ignored (RFC 8259, section 8.1) */
function decodedText(text: string | Uint8Array): string {
  if (typeof text === 'string') return text
  try {
    return utf8.decode(text)
  } catch (cause) {
    throw new MalformedJson('is not valid UTF-8', { cause })
  }
}

export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
  /** Name of the schema in the contract. */
  readonly schema: string
  /** Up to twenty problems; the message counts further ones. */
  readonly problems: readonly Problem[]

  constructor(schema: string, problems: readonly Problem[], omitted = 0, cause?: unknown) {
    super(`${schema}: ${sentence(problems, omitted)}`, { cause })
    this.schema = schema
    this.problems = problems
  }
}

/** Returns a mismatch of the whole value. */
function wholeMismatch(schema: string, message: string, cause?: unknown): SchemaMismatch {
  return new SchemaMismatch(schema, [{ place, pointer: '', keyword: undefined, message }], 0, cause)
}

/** Name of a value in the places of its problems. */
const place = 'value'

/** JSON form of the values of one schema. */
interface JsonForm {
  /** Validator of the schema; undefined where every value is valid. */
  readonly validate: Validator | undefined
  /** Plan of the int64 in a value; undefined where there is none. */
  readonly int64: Int64Plan | undefined
  /** Code with the validators that the plan names. */
  readonly code: Pick<CompiledCode, 'validators' | 'formats'>
  readonly shapes: readonly DeclaredShape[]
  /** Number of the schema's shape. */
  readonly shape: number
}

/** Distinct problems of a value, up to a bound, and the number of further ones. */
interface Findings {
  readonly problems: readonly Problem[]
  readonly omitted: number
}

/**
 * Reads a text without validating it; int64 become bigints.
 * @throws {MalformedJson}
 */
export const readJson = (text: string, { int64, code }: JsonForm): unknown =>
  restoreInt64(parseExactJson(text), int64, code)

/**
 * Reads and validates a text; int64 become bigints.
 * @param place name of the value in the places of problems
 * @throws {MalformedJson}
 */
export function checkedJson(
  text: string,
  form: JsonForm,
  place: string
): { readonly value: unknown } | { readonly findings: Findings } {
  const parsed = parseExactJson(text)
  const findings = findingsIn(parsed.value, form, place)
  return findings === undefined ? { value: restoreInt64(parsed, form.int64, form.code) } : { findings }
}

function wired(value: unknown, { code }: JsonForm): unknown {
  const wire = code.formats && wireValues(code.formats)
  return wire === undefined ? value : wire(value)
}

/** @returns undefined for a valid value */
function findingsIn(value: unknown, { validate }: JsonForm, place: string): Findings | undefined {
  return validate?.(value) === false ? collectProblems(validate.errors, place) : undefined
}
