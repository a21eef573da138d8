/** The types of handlers and security handlers, from the types of a compiled contract. */
import type { ContractTypes } from '../model/compiled-contract.ts'

/** The handlers that a contract requires: exactly one per operation. */
export type Handlers<C> = C extends { readonly types?: infer Types }
  ? NonNullable<Types> extends ContractTypes
    ? NonNullable<Types>['handlers']
    : never
  : never
/** One per security scheme that the contract declares. */
export type SecurityHandlers<C> = C extends { readonly types?: infer Types }
  ? NonNullable<Types> extends ContractTypes
    ? NonNullable<Types>['security']
    : never
  : never

/** Handlers that may be written where they are passed. */
export type InlineHandlers<Types extends ContractTypes> = Types['handlers'] &
  LiteralResponses<Types['handlers']>
/**
 * Any handlers of these names. TypeScript determines the response of a handler without a parameter before it knows the
 * contract, and keeps its literals because of this type.
 */
type LiteralResponses<Handlers> = {
  readonly [Name in keyof Handlers]: (request: never) => Literals | Promise<Literals>
}
type Literals =
  | NonNullable<unknown>
  | null
  | undefined
  | ''
  | 0
  | 0n
  | false
  | readonly Literals[]
  | LiteralMembers
interface LiteralMembers {
  readonly [name: string]: Literals
}
