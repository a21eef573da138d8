/** Types of handlers and security handlers, derived from the types of a compiled contract. */
import type { ContractTypes } from '../model/compiled-contract.ts'

/** Handlers of a contract: exactly one for each operation. */
export type Handlers<C> = C extends { readonly types?: infer Types }
  ? NonNullable<Types> extends ContractTypes
    ? NonNullable<Types>['handlers']
    : never
  : never
/** Security handlers of a contract: exactly one for each declared scheme. */
export type SecurityHandlers<C> = C extends { readonly types?: infer Types }
  ? NonNullable<Types> extends ContractTypes
    ? NonNullable<Types>['security']
    : never
  : never

/** Handlers that may be written inline, as an argument. */
export type InlineHandlers<Types extends ContractTypes> = Types['handlers'] &
  LiteralResponses<Types['handlers']>
/**
 * Any handlers of these names. TypeScript infers the response of a handler without a parameter before it knows the
 * contract; this type keeps its literals.
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
