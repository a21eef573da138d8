/**
 * POST /hooks/mail, beside the contract: a mail of a customer becomes a ticket. The mail service signs the bytes of each
 * call: `X-Signature: sha256=` and the HMAC in hex.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { FailureError } from '@contract-first/engine/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Store } from './store/store.ts'
import { insertTicket } from './store/tickets.ts'

const text = { type: 'string', minLength: 1 }
const mail = {
  type: 'object',
  required: ['from', 'subject', 'text'],
  properties: { from: text, subject: { ...text, maxLength: 200 }, text: { ...text, maxLength: 10_000 } }
}

export async function mailHook(app: FastifyInstance, { store, secret }: { store: Store; secret: string }) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
      if (!isSame(signature, String(request.headers['x-signature'])))
        throw new FailureError('credentials-refused', { message: 'the signature is wrong' })
      return JSON.parse(String(body))
    }
  )
  type Mail = { from: string; subject: string; text: string }
  app.post<{ Body: Mail }>('/hooks/mail', { schema: { body: mail } }, async ({ body }, reply) => {
    const customers = store.db.selectFrom('customers').where('email', '=', body.from)
    const customer = await customers.select('id').executeTakeFirst()
    if (customer === undefined) throw new FailureError('not-found', { message: 'it has no account here' })
    const { id } = await insertTicket(store, customer.id, { title: body.subject, text: body.text })
    return reply.code(201).send({ ticket: id })
  })
}

const isSame = (expected: string, given: string): boolean =>
  expected.length === Buffer.byteLength(given) && timingSafeEqual(Buffer.from(expected), Buffer.from(given))
