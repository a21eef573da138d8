/** The definition of this service: its contract, handlers, security and errors. */
import { defineService } from '@contract-first/service'
import contract from '../generated/contract.ts'
import { errorBody } from './failures.ts'
import { createHandlers } from './handlers/handlers.ts'
import { security } from './security.ts'

export default defineService({ contract, handlers: createHandlers, security, errorBody })
