/** Makes valid requests of an operation: plain ones, short ones, and as varied ones as the contract allows. */
import type { Contract as Model } from '@contract-first/contract'
import type { CompiledCode, Contract } from '@contract-first/engine/model'
import fc from 'fast-check'
import { kept, withinBudget } from '../budget.ts'
import { Builder } from '../builder.ts'
import { firstExample, impossiblePart, plainInstance } from '../plain-instance.ts'
import { bare, plain, Schemas, type Style, varied } from '../schemas.ts'
import {
  type Draft,
  type DraftBody,
  type Subject,
  type SubjectBody,
  type SubjectParameter,
  subjectsOf
} from './draft.ts'
import { exampleItems } from './sequence.ts'
import { Judge } from './verdict.ts'

interface Extent {
  /** The optional parameters that a request has. */
  readonly optional: 'all' | 'some' | 'none'
  /** Levels of lists and objects in which optional parts are made, too. */
  readonly depth: number
}
const whole: Extent = { optional: 'all', depth: 6 }
/** Number of whole requests to choose from: a union of ten branches has each of them almost always. */
const samplesOfWhole = 60

export class ValidDrafts {
  /** True when requests were left out because they are too large to be made. */
  isCut = false
  readonly subject: Subject
  readonly #schemas = new Schemas('request')
  readonly #judge: Judge

  constructor(subject: Subject, judge: Judge) {
    this.subject = subject
    this.#judge = judge
  }

  /**
   * Returns requests as a person would write them, with every declared part, in each media type; an empty list if none
   * is found.
   */
  plain(seed: number): readonly Draft[] {
    const optional = this.subject.operation.requestBody?.required === false ? [undefined] : []
    const bodies = [...this.#bodies, ...optional]
    const plainOf = (extent: Extent) => bodies.flatMap((body) => this.#plainOf(body, seed, extent))
    const found = plainOf(whole)
    // All parameters together may be longer than a URL.
    return found.length > 0 ? found : plainOf({ ...whole, optional: 'none' })
  }

  /**
   * Returns further requests with every declared part, made from the schemas alone, as an example may lack some: of each
   * branch of a union, with lists of several items.
   */
  whole(seed: number): readonly Draft[] {
    return this.#bodies.flatMap((body) => this.#sampled([body], bare, whole, seed, samplesOfWhole))
  }

  /** Returns the bodies of which each makes requests of its own; one that is absent where none is declared. */
  get #bodies(): readonly (SubjectBody | undefined)[] {
    const { bodies } = this.subject
    return bodies.length === 0 ? [undefined] : bodies.filter(isMakeable)
  }

  /** Returns the place of the first required part that has no value: `query/limit`, `body/address/zip`. */
  get impossible(): string | undefined {
    const parameters = this.subject.parameters.filter(({ spec }) => spec.required)
    const places = [
      ...parameters.map(({ spec, schema }) => ({ place: `${spec.in}/${spec.name}`, schema })),
      ...(this.#needsBody ? this.subject.bodies : []).map(({ schema }) => ({ place: 'body', schema }))
    ]
    const found = places.find(
      ({ schema }) => plainInstance(schema, { direction: 'request', seed: 1 }) === undefined
    )
    return found && `${found.place}${impossiblePart(found.schema, 'request')}`
  }

  /** Returns true when the contract has an example of every part that a request needs. */
  get hasExamples(): boolean {
    const needed = this.subject.parameters.filter(({ spec }) => spec.required)
    return (
      needed.every((each) => this.#hasExample(each)) &&
      (!this.#needsBody || this.subject.bodies.some((each) => this.#hasExample(each)))
    )
  }

  /** Returns a request of required parts and examples, its body in the media type that is easiest to type. */
  short(seed: number): Draft | undefined {
    const shown = this.subject.bodies.filter((body) => this.#needsBody || this.#hasExample(body))
    const ranked = shown.filter(isMakeable).toSorted((one, other) => this.#rank(one) - this.#rank(other))
    for (const body of this.#needsBody ? ranked : [...ranked, undefined]) {
      const found = this.#shortOf(body, seed)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** An object without required properties is shown with optional ones. */
  #shortOf(body: SubjectBody | undefined, seed: number): Draft | undefined {
    const [short] = this.#plainOf(body, seed, { optional: 'none', depth: 0 })
    if (short === undefined || !isEmpty(short.body?.value)) return short
    return [...this.#plainOf(body, seed, { optional: 'none', depth: 1 }), short][0]
  }

  get #needsBody(): boolean {
    return this.subject.operation.requestBody?.required === true
  }

  #hasExample(holder: SubjectParameter | SubjectBody): boolean {
    return firstExample(holder.declared) !== undefined
  }

  #rank(body: SubjectBody): number {
    const kind = ['json', 'form', 'multipart', 'text', 'binary'].indexOf(String(body.content.kind))
    return this.#hasExample(body) ? kind : kind + 10
  }

  #plainOf(body: SubjectBody | undefined, seed: number, extent: Extent): readonly Draft[] {
    for (const style of [plain, bare, varied]) {
      const found = this.#sampled([body], style, extent, seed, 8)
      if (found.length > 0 || this.isCut) return found.slice(0, 2)
    }
    return []
  }

  /** Returns at most `count` requests. */
  varied(seed: number, count: number): readonly Draft[] {
    const bodies = this.subject.bodies.filter(isMakeable)
    const all = this.#needsBody ? bodies : [...bodies, undefined]
    return this.#sampled(all, varied, { ...whole, optional: 'some' }, seed, count)
  }

  /** Returns the valid ones of some requests; an empty list if they are too large. */
  #sampled(
    bodies: readonly (SubjectBody | undefined)[],
    style: Style,
    extent: Extent,
    seed: number,
    numRuns: number
  ): readonly Draft[] {
    const onExceeded = () => {
      this.isCut = true
    }
    const draw = (depth: number) => {
      const drafts = this.#drafts(bodies, style, { ...extent, depth })
      return fc.sample(extent.optional === 'some' ? drafts : fc.noBias(drafts), { seed, numRuns })
    }
    const found = withinBudget(draw, extent.depth, onExceeded) ?? []
    return found.filter((draft) => this.#judge.isValid(draft))
  }

  /** @param bodies bodies of which each request has one; undefined for none */
  #drafts(bodies: readonly (SubjectBody | undefined)[], style: Style, extent: Extent): fc.Arbitrary<Draft> {
    const { subject } = this
    const none = fc.constant(undefined)
    const values = subject.parameters.map((parameter): fc.Arbitrary<unknown> => {
      const { required } = parameter.spec
      if (!required && extent.optional === 'none') return none
      const value = this.#instances(parameter, style, extent) ?? none
      return required || extent.optional === 'all' ? value : fc.option(value, { nil: undefined })
    })
    const made = bodies.flatMap((body) => (body && this.#body(body, style, extent)) ?? [])
    const absent = made.length === 0 || bodies.includes(undefined) ? [none] : []
    const [only = none, ...others] = [...made, ...absent]
    const body = others.length === 0 ? only : fc.oneof(only, ...others)
    return fc.tuple(fc.tuple(...values), body).map(([all, made]): Draft => {
      return { subject, values: all, body: made, id: 'plain' }
    })
  }

  #body(of: SubjectBody, style: Style, extent: Extent): fc.Arbitrary<DraftBody> | undefined {
    const made = this.#instances(of, style, extent)?.map((value) => ({ of, value }))
    return kept(made, (body) => this.#judge.acceptsBody(this.subject, body))
  }

  #instances(
    holder: SubjectParameter | SubjectBody,
    style: Style,
    { depth }: Extent
  ): fc.Arbitrary<unknown> | undefined {
    const example = style.usesExamples ? firstExample(holder.declared) : undefined
    const items = 'content' in holder ? holder.content.items : undefined
    if (example !== undefined)
      return fc.constant(items === undefined ? example : exampleItems(items, example))
    return new Builder(this.#schemas, style, depth).build(holder.schema)
  }
}

/** Returns a valid request of each operation, without credentials; undefined where none is found. */
export function firstDrafts(
  { contract, model }: { readonly contract: Contract; readonly model: Model },
  code: CompiledCode
): ReadonlyMap<Subject, Draft | undefined> {
  const judge = new Judge(code)
  const subjects = subjectsOf(contract, model)
  return new Map(subjects.map((subject) => [subject, new ValidDrafts(subject, judge).plain(1)[0]]))
}

/** Recognises bodies that can be made: XML cannot, nor other types whose schema does not describe their bytes. */
const isMakeable = ({ content }: SubjectBody): boolean =>
  content.kind !== undefined && !content.mediaType.startsWith('multipart/*')

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
