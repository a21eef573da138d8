/** Types of handlers and security handlers, derived from the types of a compiled contract. */
import type { ContractTypes } from '../model/compiled-contract.ts'

/**
 * Handlers of a contract: exactly one for each operation.
 * @typeParam Security type of the security handlers, whose results are the principals
 */
export type Handlers<C, Security = TypesOf<C>['security']> = HandlersFor<TypesOf<C>, Security>
/** Security handlers of a contract: exactly one for each declared scheme. */
export type SecurityHandlers<C> = TypesOf<C>['security']

/** Types of a compiled contract. */
export type TypesOf<C> = C extends { readonly types?: infer Types }
  ? NonNullable<Types> extends ContractTypes
    ? NonNullable<Types>
    : never
  : never

/** Security handlers, as an argument from which TypeScript infers their type, results included. */
export type InlineSecurity<Types extends ContractTypes, Security> = Types['security'] & {
  readonly [Scheme in keyof Security]: Security[Scheme]
} & Surplus<keyof Types['security'], keyof Security> &
  InOrder<Types['security'], Security>
/** Any scheme is accepted for a contract without types, such as one that is compiled at run time. */
type Surplus<Declared, Schemes extends PropertyKey> = [Declared] extends [never]
  ? unknown
  : { readonly [Scheme in Exclude<Schemes, Declared>]: 'not a security scheme of the contract' }
/** Refuses functions whose types TypeScript has not inferred, because it needed the principals before. */
type InOrder<Declared, Security> = {
  readonly [Scheme in keyof Declared]: unknown extends MemberOf<Security, Scheme>
    ? SecurityStandsAfterHandlers
    : unknown
}
type SecurityStandsAfterHandlers = (...values: never) => 'security must stand before handlers'

/** Handlers for the results of the security handlers: `this['principals']` in the types of the contract is replaced. */
type HandlersFor<Types extends ContractTypes, Security> = (Types & {
  readonly principals: {
    readonly [Scheme in keyof Types['principals']]: Principal<MemberOf<Security, Scheme>>
  }
})['handlers']
/** Principals that are not inferred yet are `never`: handlers of any principal are acceptable at that time. */
type Principal<SecurityHandler> = SecurityHandler extends (...values: never) => infer Result
  ? Exclude<Awaited<Result>, Refusal>
  : never
type Refusal = undefined | null | false | '' | 0 | 0n | Error

/**
 * Handlers that may be written inline, as an argument: a mapped type of functions, because TypeScript infers the
 * principals of such a type only when it needs the type of a parameter.
 */
export type InlineHandlers<Types extends ContractTypes, Security = Types['security']> = {
  readonly [Name in keyof Types['handlers']]: (
    ...values: ArgumentsOf<MemberOf<HandlersFor<Types, Security>, Name>>
  ) => Inferred<ResultOf<Types['handlers'][Name]>>
}
type ArgumentsOf<Handler> = Handler extends (...values: infer Values) => unknown ? Values : never
type ResultOf<Handler> = Handler extends (...values: never) => infer Result ? Result : never

/**
 * The same type. Its constraint lets TypeScript keep literals and tuples while it infers the contract; an intersection
 * with `Literals` would do so, too, and show in messages.
 */
export type Inferred<Result> = [Result] extends [infer Same extends Literals | Promise<Literals>]
  ? Same
  : never

type MemberOf<Members, Name> = Name extends keyof Members ? Members[Name] : unknown

/** Any value, whose literals and tuples TypeScript keeps when it infers the type of a function that returns it. */
type Literals =
  | NonNullable<unknown>
  | null
  | undefined
  | ''
  | 0
  | 0n
  | false
  | readonly []
  | readonly Literals[]
  | LiteralMembers
interface LiteralMembers {
  readonly [name: string]: Literals
}
