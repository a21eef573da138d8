/** Types of clients, derived from those of a contract. */
import type { ClientOperation } from '../model/client-operation.ts'
import type { Contract } from '../model/compiled-contract.ts'
import type { GivenCredential, GivenSecurity } from './credentials.ts'

/** Operations by the names that the client gives them. */
export type ClientOperations = Readonly<Record<string, ClientOperation>>

type TypesOf<Source> = Source extends Contract<infer Types> ? Types : never

/** One function for each operation. */
export type Client<Source> = [TypesOf<Source>] extends [never]
  ? { readonly [Name in keyof Source]: Source[Name] extends ClientOperation<infer Call> ? Call : never }
  : TypesOf<Source> extends { readonly client: infer Calls }
    ? Calls
    : never

type CredentialOf<Handler> = Handler extends (credential: infer Value, ...others: never) => unknown
  ? Value
  : never

/** Credentials by security scheme. */
export type GivenFor<Source> = [TypesOf<Source>] extends [never]
  ? GivenSecurity
  : {
      readonly [Name in keyof TypesOf<Source>['security']]?:
        | GivenCredential<CredentialOf<NonNullable<TypesOf<Source>['security'][Name]>>>
        | Inherited<Name>
        | undefined
    }

/** Member that an object without a credential for a scheme of this name inherits. */
type Inherited<Name> = Name extends 'constructor' ? typeof Object.prototype.constructor : never

/** Function with the signature of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ClientOptions<Security = GivenSecurity> {
  /** URL of the service, with its base path; without one, the origin of the page. */
  readonly baseUrl?: string | URL | undefined
  /** By default the `fetch` of the platform. */
  readonly fetch?: Fetch | undefined
  readonly security?: Security | undefined
  /** Headers of every request; those of a call take precedence. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Largest body of an answer in bytes, decoded; 64 MiB by default. A stream has no bound but that of its items. */
  readonly maxAnswerBytes?: number | undefined
  /** Longest item of a stream in characters; 16 Mi by default. */
  readonly maxItemLength?: number | undefined
}
