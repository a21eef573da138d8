/** The client of a request, and the handlers that get it. */
import type * as generated from '../generated/types.ts'

export interface User {
  /** Id of a customer, or name of an agent's token. */
  readonly id: string
  readonly role: 'customer' | 'agent'
}

export type Handlers = generated.Handlers<User>
