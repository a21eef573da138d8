/** Compares types, validators, readers and serializers of one contract with each other. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { anyModel, textModel } from './arbitrary.ts'
import { documentOf } from './document.ts'
import { disagreements, type Statement } from './judge.ts'
import { literal, plain } from './literal.ts'
import { type Model, typed, type Version } from './model.ts'
import { Service } from './service.ts'
import { textPlaces } from './text-places.ts'
import { changed, fitting } from './values.ts'

export interface Batch {
  readonly version: Version
  readonly seed: number
  /** Number of models of any value; a quarter as many models of text are added. */
  readonly schemas: number
  /** True to reuse the compiled code of the last run. */
  readonly isKept?: boolean
}

export interface Result {
  readonly schemas: number
  readonly values: number
  readonly disagreements: readonly string[]
}

export async function runBatch({ version, seed, schemas, isKept = false }: Batch): Promise<Result> {
  const bodies = fc.sample(anyModel, { seed, numRuns: schemas - Math.floor(schemas / 5) })
  const texts = fc.sample(textModel, { seed, numRuns: Math.floor(schemas / 5) })
  const service = await Service.start(documentOf({ bodies, texts }, version), isKept)
  try {
    const report = new Report(version, seed, service)
    for (const [index, model] of bodies.entries()) await report.body(index, model)
    for (const [index, model] of texts.entries()) await report.text(index, model)
    const found = [
      ...report.found,
      ...(await disagreements(`agreement ${version}`, report.statements, service.folder))
    ]
    return { schemas, values: report.statements.length, disagreements: found }
  } finally {
    await service.stop()
  }
}

class Report {
  readonly statements: Statement[] = []
  readonly found: string[] = []
  readonly #version: Version
  readonly #seed: number
  readonly #service: Service

  constructor(version: Version, seed: number, service: Service) {
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
    const path = `/bodies/${index}?q=${encodeURIComponent(body)}`
    const headers = { 'content-type': 'application/json' }
    const answer = { status: 200, body: given, headers: { 'X-Value': given } }
    const {
      status,
      seen,
      text,
      headers: sent
    } = await this.#service.exchange(path, { headers, body }, answer)
    const accepted = seen !== undefined
    if (isFitting && !accepted) this.found.push(`${about}: ${body} fits, and is refused: ${text}`)
    const request = `Request<'body${index}'>`
    this.#state(`${request}['body']`, accepted ? seen.body : given, accepted, about)
    if (!accepted) {
      const valid = JSON.stringify(sample.valid)
      const { status } = await this.#service.exchange(`/bodies/${index}`, { headers, body: valid }, answer)
      if (status === 200) this.found.push(`${about}: ${body} is refused in a request and sent in an answer`)
      return
    }
    this.#state(`${request}['query']['q']`, seen.query['q'], true, about)
    this.#state(`Response<'body${index}'>['body']`, seen.body, true, about)
    const isSame = status === 200 && isDeepStrictEqual(JSON.parse(text), value)
    const inHeader = status === 200 && isDeepStrictEqual(JSON.parse(String(sent.get('x-value'))), value)
    if (
      !isSame ||
      !inHeader ||
      !isDeepStrictEqual(plain(seen.query['q']), value) ||
      !isDeepStrictEqual(plain(seen.body), value)
    )
      this.found.push(`${about}: ${body} comes back as ${status} ${text}, header ${sent.get('x-value')}`)
  }

  async text(index: number, model: Model): Promise<void> {
    const seed = this.#seed + index
    // Headers can hold only ASCII.
    const values = fitting(model, this.#version).filter((value) => /^[ -~]*$/.test(String(value)))
    for (const value of fc.sample(values, { seed, numRuns: 2 }))
      for (const place of textPlaces(value)) {
        const about = `${this.#version} seed ${this.#seed} text${index} ${place.name}`
        const given = typed(model, value, this.#version)
        const answer = { status: 200, headers: { 'X-Value': given } }
        const { path, request } = place
        const { status, seen, text, headers } = await this.#service.exchange(
          `/texts/${index}${path}`,
          request,
          answer
        )
        if (seen === undefined || status !== 200) {
          this.found.push(`${about}: ${literal(value)} fits, and is answered ${status} ${text}`)
          continue
        }
        const found = place.read(seen)
        if (!isDeepStrictEqual(found, given))
          this.found.push(`${about}: ${literal(given)} arrives as ${literal(found)}`)
        if (headers.get('x-value') !== [value].flat().join(', '))
          this.found.push(`${about}: ${literal(given)} is sent as ${headers.get('x-value')}`)
        this.#state(place.type(`text${index}`), found, true, about)
      }
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
