/** Makes valid requests of an operation: plain ones, and as varied ones as the contract allows. */
import fc from 'fast-check'
import type { Json } from '../../compile/document/json-value.ts'
import { withinBudget } from '../../instances/budget.ts'
import { Builder } from '../../instances/builder.ts'
import { kept } from '../../instances/kept.ts'
import type { Schemas } from '../../instances/schemas.ts'
import type { Style } from '../../instances/style.ts'
import type { Draft, DraftBody } from './draft.ts'
import type { Subject, SubjectBody } from './subject.ts'
import type { Judge } from './verdict.ts'

/** Levels of lists and objects in which optional parts are made, too. */
const depth = 4
const plain: Style = { isPlain: true, usesExamples: true }
const bare: Style = { isPlain: true, usesExamples: false }
const varied: Style = { isPlain: false, usesExamples: false }

export class ValidDrafts {
  /** True when requests were left out because they are too large to be made. */
  isCut = false
  readonly #subject: Subject
  readonly #schemas: Schemas
  readonly #judge: Judge

  constructor(subject: Subject, schemas: Schemas, judge: Judge) {
    this.#subject = subject
    this.#schemas = schemas
    this.#judge = judge
  }

  /**
   * Returns requests as a person would write them, with every declared part, in each media type; an empty list if none
   * is found.
   */
  plain(seed: number): readonly Draft[] {
    const { bodies, operation } = this.#subject
    const choices = bodies.length === 0 ? [undefined] : bodies.filter(isMakeable)
    const optional = operation.requestBody?.required === false ? [undefined] : []
    return [...choices, ...optional].flatMap((body) => this.#plainOf(body, seed))
  }

  #plainOf(body: SubjectBody | undefined, seed: number): readonly Draft[] {
    for (const style of [plain, bare, varied]) {
      const made = () => (body === undefined ? fc.constant(undefined) : this.#body(body, style))
      const found = this.#sampled(() => fc.noBias(this.#drafts(style, made(), false)), seed, 8)
      if (found.length > 0 || this.isCut) return found.slice(0, 2)
    }
    return []
  }

  /** Returns the valid ones of some requests; an empty list if they are too large. */
  #sampled(drafts: () => fc.Arbitrary<Draft>, seed: number, numRuns: number): readonly Draft[] {
    const found = withinBudget(
      () => fc.sample(drafts(), { seed, numRuns }),
      () => {
        this.isCut = true
      }
    )
    return found?.filter((draft) => this.#judge.isValid(draft)) ?? []
  }

  /** Returns at most `count` requests. */
  varied(seed: number, count: number): readonly Draft[] {
    const { bodies, operation } = this.#subject
    const drafts = () => {
      const made = bodies.filter(isMakeable).flatMap((body) => this.#body(body, varied) ?? [])
      const none = operation.requestBody?.required === true && made.length > 0 ? [] : [fc.constant(undefined)]
      return this.#drafts(varied, fc.oneof(...made, ...none), true)
    }
    return this.#sampled(drafts, seed, count)
  }

  #drafts(
    style: Style,
    body: fc.Arbitrary<DraftBody | undefined> | undefined,
    mayOmit: boolean
  ): fc.Arbitrary<Draft> {
    const values = this.#subject.parameters.map(({ spec, schema }) => {
      const value = this.#instances(schema, style) ?? fc.constant(undefined)
      return spec.required || !mayOmit ? value : fc.option(value, { nil: undefined })
    })
    return fc.tuple(fc.tuple(...values), body ?? fc.constant(undefined)).map(([all, made]): Draft => {
      return { subject: this.#subject, values: all, body: made, id: 'plain' }
    })
  }

  #body(of: SubjectBody, style: Style): fc.Arbitrary<DraftBody> | undefined {
    const made = this.#instances(of.schema, style)?.map((value) => ({ of, value }))
    return kept(made, (body) => this.#judge.acceptsBody(this.#subject, body))
  }

  #instances(schema: Json, style: Style): fc.Arbitrary<unknown> | undefined {
    return new Builder(this.#schemas, style).build(schema, depth)
  }
}

/** Recognises bodies that can be made: XML cannot, nor other types whose schema does not describe their bytes. */
const isMakeable = ({ content }: SubjectBody): boolean =>
  content.kind !== undefined && !content.mediaType.startsWith('multipart/*')
