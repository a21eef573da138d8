/** Compares types, validators, readers and serializers of one contract with each other. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Test } from 'tap'
import { pathOf } from '../contracts/compile-cache.ts'
import { generate, type Served, serve } from '../contracts/drive.ts'
import { diagnose } from '../contracts/type-check.ts'
import { anyModel, changed, documentOf, fitting, type Model, typed, type Version } from './model.ts'

interface Batch {
  readonly version: Version
  readonly seed: number
  readonly schemas: number
}

interface Result {
  readonly values: number
  readonly disagreements: readonly string[]
}

export async function runBatch(t: Test, { version, seed, schemas }: Batch): Promise<Result> {
  const bodies = fc.sample(anyModel, { seed, numRuns: schemas })
  const { folder, contract } = await generate(t, await pathOf(documentOf(bodies, version)))
  const report = new Report(version, seed, await serve(t, contract))
  for (const [index, model] of bodies.entries()) await report.body(index, model)
  const found = await disagreements(`agreement ${version}`, report.statements, folder)
  return { values: report.statements.length, disagreements: [...report.found, ...found] }
}

class Report {
  readonly statements: Statement[] = []
  readonly found: string[] = []
  readonly #version: Version
  readonly #seed: number
  readonly #service: Served

  constructor(version: Version, seed: number, service: Served) {
    this.#version = version
    this.#seed = seed
    this.#service = service
  }

  async body(index: number, model: Model): Promise<void> {
    const values = fitting(model, this.#version)
    const seed = this.#seed + index
    const samples = [
      ...fc.sample(values, { seed, numRuns: 2 }),
      ...fc.sample(changed(values), { seed, numRuns: 4 })
    ]
    for (const [number, value] of samples.entries())
      await this.#value(index, { model, value, valid: samples[0], isFitting: number < 2 })
  }

  async #value(index: number, sample: Sample): Promise<void> {
    const { model, value, isFitting } = sample
    const [body, about] = [JSON.stringify(value), `${this.#version} seed ${this.#seed} body${index}`]
    const given = typed(model, value, this.#version)
    const send = `POST /bodies/${index}`
    const headers = { 'content-type': 'application/json' }
    const answer = { status: 200, body: given, headers: { 'X-Value': given } }
    const exchange = (send: string, body: string) =>
      this.#service.exchange({ send, headers, body, answer, want: 200 })
    const {
      status,
      seen,
      body: text,
      headers: sent
    } = await exchange(`${send}?q=${encodeURIComponent(body)}`, body)
    const accepted = seen.operation !== undefined
    if (isFitting && !accepted) this.found.push(`${about}: ${body} fits, and is refused: ${text}`)
    const request = `Request<'body${index}'>`
    this.#state(`${request}['body']`, accepted ? seen['body'] : given, accepted, about)
    if (!accepted) {
      const valid = JSON.stringify(sample.valid)
      if ((await exchange(send, valid)).status === 200)
        this.found.push(`${about}: ${body} is refused in a request and sent in an answer`)
      return
    }
    const query = seen['query'] as Readonly<Record<string, unknown>>
    this.#state(`${request}['query']['q']`, query['q'], true, about)
    this.#state(`Response<'body${index}'>['body']`, seen['body'], true, about)
    const isSame = status === 200 && isDeepStrictEqual(JSON.parse(text), value)
    const inHeader = status === 200 && isDeepStrictEqual(JSON.parse(String(sent['x-value'])), value)
    if (
      !isSame ||
      !inHeader ||
      !isDeepStrictEqual(plain(query['q']), value) ||
      !isDeepStrictEqual(plain(seen['body']), value)
    )
      this.found.push(`${about}: ${body} comes back as ${status} ${text}, header ${sent['x-value']}`)
  }

  #state(type: string, value: unknown, accepted: boolean, about: string): void {
    this.statements.push({ type, value: literal(value), accepted, about })
  }
}

interface Sample {
  readonly model: Model
  readonly value: unknown
  /** True when the value fits the schema. */
  readonly valid: unknown
  readonly isFitting: boolean
}

/** A claim that the value has the type, or does not have it. */
interface Statement {
  readonly type: string
  readonly value: string
  readonly accepted: boolean
  /** Name of the part that refused or accepted the value. */
  readonly about: string
}

const head = `import type { Handlers } from './contract.ts'
type Request<Id extends keyof Handlers> = Parameters<Handlers[Id]>[0]
type Response<Id extends keyof Handlers> = Exclude<ReturnType<Handlers[Id]>, Promise<unknown>>
`

/**
 * @param name name of the statements
 * @returns the statements that TypeScript refutes
 */
async function disagreements(
  name: string,
  statements: readonly Statement[],
  folder: string
): Promise<string[]> {
  const path = join(folder, 'agreement.ts')
  const lines = statements.map(({ type, value }, index) => `export const v${index}: ${type} = ${value}`)
  await writeFile(path, `${head}${lines.join('\n')}\n`)
  const first = head.split('\n').length
  const problems = await diagnose(name, [path])
  const refused = new Map(problems.map(({ text }) => [Number(text.split(':')[0]) - first, text]))
  const elsewhere = problems
    .filter(({ file }) => !file.endsWith('/agreement.ts'))
    .map(({ file, text }) => `${file}: ${text}`)
  const wrong = statements.flatMap(({ type, value, accepted, about }, index) =>
    refused.has(index) === accepted
      ? [
          `${about}: ${value} is ${accepted ? 'accepted, and not' : 'refused, and is'} of ${type}; ${refused.get(index) ?? ''}`
        ]
      : []
  )
  return [...elsewhere, ...wrong]
}

/** @returns source code of a value of JSON or int64 */
function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof Uint8Array) return `Buffer.from(${JSON.stringify([...value])})`
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${literal(member)}`)
  return `{ ${members.join(', ')} }`
}

/** @returns the value as JSON, in which a bigint becomes an integer */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}
