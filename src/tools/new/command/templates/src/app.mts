/** The definition of this service: its contract, database, handlers, security and errors. */
import { defineService } from '@contract-first/service'
import contract from '../generated/contract.ts'
import { errorBody } from './failures.ts'
import { createHandlers } from './handlers/handlers.ts'
import { security } from './security.ts'
import { openStore } from './store/store.ts'

export default defineService({ contract, openStore, security, handlers: createHandlers, errorBody })
