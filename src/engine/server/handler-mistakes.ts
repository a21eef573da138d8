/** Mistakes in handlers as sentences, which TypeScript prints in the first line of its message. */
import type { ContractTypes } from '../model/compiled-contract.ts'
import type { InlineHandlers } from './handler-types.ts'

/**
 * Refuses handlers that do not fit: TypeScript would show a function with a block, or a promise, only as a whole. It
 * infers `Made` from this type.
 */
export type FittingHandlers<Types extends ContractTypes, Made> = unknown extends Made
  ? Made
  : [keyof Misfits<Types['handlers'], Made>] extends [never]
    ? unknown
    : Sentences<Misfits<Types['handlers'], Made>, Made>

/** Definition that refuses a maker of handlers whose result `Made`, or promise of it, does not fit. */
export type FittingMaker<Types extends ContractTypes, Made> = [Mistake<Types, Awaited<Made>>] extends [never]
  ? unknown
  : { readonly handlers: Mistake<Types, Awaited<Made>> }

/**
 * Result of a maker of handlers, from which TypeScript infers `Made`. It includes what `FittingMaker` refuses, except for
 * wrong results in handlers without a promise: TypeScript then looks for the wrong part in the expression of the maker.
 */
export type MadeHandlers<Types extends ContractTypes, Security, Made> =
  | Refused<Types, Made>
  | (FittingHandlers<Types, Made> & InlineHandlers<Types, Security>)
  | Promise<InlineHandlers<Types, Security>>
type Refused<Types extends ContractTypes, Made> = [Mistake<Types, Awaited<Made>>] extends [never]
  ? never
  : [WrongNames<Types, Awaited<Made>>] extends [never]
    ? Made extends Promise<unknown>
      ? object
      : never
    : Made & object

/** Sentences about handlers; never where they fit, or are not inferred yet. */
type Mistake<Types extends ContractTypes, Made> = unknown extends Made
  ? never
  : [WrongNames<Types, Made>] extends [never]
    ? Sentence<Misfits<Types['handlers'], Made>>
    : WrongNames<Types, Made>

/** Missing handlers; otherwise surplus ones. */
type WrongNames<Types extends ContractTypes, Made> = Difference<keyof Types['handlers'], keyof Made>
/** Any name is accepted for a contract without types. An index signature names no operation. */
type Difference<Declared extends PropertyKey, Names extends PropertyKey> = [Declared] extends [never]
  ? never
  : [Exclude<Declared, Names>] extends [never]
    ? string extends Names
      ? never
      : `the contract has no operation ${Exclude<Names, Declared> & string}`
    : `the handler ${Exclude<Declared, Names> & string} is missing`

type Sentences<Wrong, Made> = {
  readonly [Name in keyof Wrong]: Sentence<Pick<Wrong, Name>> & Later<Made[Name & keyof Made]>
}
/**
 * Accepts a promise that the sentence refuses. In other results of an expression TypeScript names the wrong part. Editors
 * complete what the operation declares, because `unknown` adds nothing to it.
 */
type Later<Handler> = Handler extends (...values: never) => Promise<unknown>
  ? (...values: never) => unknown
  : unknown

type Sentence<Wrong> = `the handler ${Wrong[keyof Wrong] & string}`
/** Mistakes in the results of handlers. Parameters are not compared: their types need those of the principals. */
type Misfits<Declared, Made> = {
  readonly [Name in keyof Declared & keyof Made as ResultOf<Made[Name]> extends ResultOf<Declared[Name]>
    ? never
    : Name]: `${Name & string} returns a wrong ${OrWhole<WrongPlace<Awaited<ResultOf<Made[Name]>>, Awaited<ResultOf<Declared[Name]>>>>}`
}
type ResultOf<Handler> = Handler extends (...values: never) => infer Result ? Result : never

type OrWhole<Place extends string> = [Place] extends [never] ? 'response' : Place

/** Place in a response that its operation does not declare: `status`, `headers.etag`, `body.title`, `body[].title`. */
type WrongPlace<Given, Declared> = Given extends { readonly status: infer Status }
  ? [OfStatus<Declared, Status>] extends [never]
    ? 'status'
    :
        | WrongPart<Given, OfStatus<Declared, Status>, 'body'>
        | WrongPart<Given, OfStatus<Declared, Status>, 'headers'>
  : 'status'
type OfStatus<Declared, Status> = Declared extends { readonly status: infer Known }
  ? Status extends Known
    ? Declared
    : never
  : never
type WrongPart<Given, Wanted, Part extends string> =
  MemberOf<Given, Part> extends MemberOf<Wanted, Part>
    ? never
    : WrongPlaceIn<MemberOf<Given, Part>, MemberOf<Wanted, Part>, Part>
type MemberOf<Members, Name> = Name extends keyof Members ? Members[Name] : undefined

type WrongPlaceIn<Given, Wanted, Place extends string> = [Wanted] extends [readonly (infer Item)[]]
  ? [Given] extends [readonly (infer GivenItem)[]]
    ? WrongMember<GivenItem, Item, `${Place}[]`>
    : Place
  : WrongMember<Given, Wanted, Place>
type WrongMember<Given, Wanted, Place extends string> = [WrongName<Given, Wanted>] extends [never]
  ? Place
  : `${Place}.${WrongName<Given, Wanted>}`
type WrongName<Given, Wanted> = [Given, Wanted] extends [object, object]
  ? keyof {
      [Name in keyof Wanted as string extends Name
        ? never
        : Given extends Pick<Wanted, Name>
          ? never
          : Name]: true
    } &
      string
  : never
