/** The definition of this service: its contract, handlers, security and errors. */

import { defineService } from '@contract-first/service'
import compress from '@fastify/compress'
import contract from '../generated/contract.ts'
import { errorResponse } from './errors.ts'
import { errorBody } from './failures.ts'
import { createHandlers } from './handlers/handlers.ts'
import { mailHook } from './mail-hook.ts'
import { security } from './security.ts'
import { openStore } from './store/store.ts'

export default defineService({
  contract,
  environment: {
    WEBHOOK_SECRET: {
      help: 'secret of the mail service, which signs its calls of /hooks/mail; at least 32 characters',
      parse: (text: string) => {
        if (text.length < 32) throw new Error('must have at least 32 characters')
        return text
      }
    }
  },
  openStore,
  security,
  handlers: createHandlers,
  around: ({ operation: { method, extensions } }, handle, { store }) =>
    method === 'GET' || extensions['x-transaction'] === false ? handle() : store.transaction(handle),
  errorBody,
  errorResponse,
  refuseCrossSite: true,
  extend: async (app, { store, config }) => {
    await app.register(compress)
    await app.register(mailHook, { store, secret: config.own.WEBHOOK_SECRET })
  }
})
