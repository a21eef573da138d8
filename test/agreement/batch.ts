/** Compares types, validators, readers and serializers of one contract with each other. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Test } from 'tap'
import { pathOf } from '../contracts/compile-cache.ts'
import { generate, type Served, serve } from '../contracts/drive.ts'
import { diagnose } from '../contracts/type-check.ts'
import { anyModel, changed, documentOf, fitting, typed, type Version } from './model.ts'

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
  const models = fc.sample(anyModel, { seed, numRuns: schemas })
  const { folder, contract } = await generate(t, await pathOf(documentOf(models, version)))
  const service = await serve(t, contract)
  const [statements, found]: [Statement[], string[]] = [[], []]
  for (const [index, model] of models.entries()) {
    const about = `${version} seed ${seed} body${index}`
    const values = fitting(model, version)
    const fit = fc.sample(values, { seed: seed + index, numRuns: 2 })
    const others = fc.sample(changed(values), { seed: seed + index, numRuns: 4 })
    for (const value of [...fit, ...others]) {
      const given = typed(model, value, version)
      const outcome = await exchanged(service, index, value, given)
      for (const [type, text] of outcome.statements)
        statements.push({ type, value: literal(text), accepted: outcome.accepted, about })
      found.push(...outcome.problems.map((problem) => `${about}: ${JSON.stringify(value)} ${problem}`))
      if (outcome.accepted) continue
      if (fit.includes(value)) found.push(`${about}: ${JSON.stringify(value)} fits, and is refused`)
      if (await isSent(service, index, fit[0], given))
        found.push(`${about}: ${JSON.stringify(value)} is refused in a request and sent in an answer`)
    }
  }
  const wrong = await disagreements(`agreement ${version}`, statements, folder)
  return { values: statements.length, disagreements: [...found, ...wrong] }
}

const headers = { 'content-type': 'application/json' }
const answerWith = (given: unknown) => ({ status: 200, body: given, headers: { 'X-Value': given } })

/** True when the server sends the value in an answer to a valid request. */
async function isSent(service: Served, index: number, valid: unknown, given: unknown): Promise<boolean> {
  const row = { send: `POST /bodies/${index}`, headers, body: JSON.stringify(valid), want: 200 }
  return (await service.exchange({ ...row, answer: answerWith(given) })).status === 200
}

/** Sends a value as body and as parameter, which the handler returns in body and header. */
async function exchanged(service: Served, index: number, value: unknown, given: unknown) {
  const body = JSON.stringify(value)
  const send = `POST /bodies/${index}?q=${encodeURIComponent(body)}`
  const outcome = await service.exchange({ send, headers, body, answer: answerWith(given), want: 200 })
  const request = `Request<'body${index}'>`
  const { seen, status } = outcome
  if (seen.operation === undefined)
    return { accepted: false, statements: [[`${request}['body']`, given]] as const, problems: [] }
  const q = Object(seen['query']).q
  const statements = [
    [`${request}['body']`, seen['body']],
    [`${request}['query']['q']`, q],
    [`Response<'body${index}'>['body']`, seen['body']]
  ] as const
  const sent =
    status === 200 ? [outcome.body, String(outcome.headers['x-value'])].map((text) => JSON.parse(text)) : []
  const isSame = isDeepStrictEqual([...sent, plain(q), plain(seen['body'])], [value, value, value, value])
  const problems = isSame
    ? []
    : [`comes back as ${status} ${outcome.body}, header ${outcome.headers['x-value']}`]
  return { accepted: true, statements, problems }
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
