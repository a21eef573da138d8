/** Entry point of the client: calls the operations of a compiled contract, on `fetch` alone. */
export {
  type Client,
  type ClientOperations,
  type ClientOptions,
  createClient,
  type Fetch
} from './client/create-client.ts'
export type { Credential, CredentialContext, GivenCredential } from './client/credentials.ts'
export { injectFetch } from './client/features/inject-fetch.ts'
export { type PlacedProblem, RequestMismatch, ResponseMismatch } from './client/mismatch.ts'
export type { ClientOperation } from './model/client-operation.ts'
