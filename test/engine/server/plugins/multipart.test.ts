/** Contract beside @fastify/multipart, which parses the forms of routes outside the contract only. */
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { request } from '../../serve.ts'
import { hosts } from './hosts.ts'

const part = (name: string, value: string, filename = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`
const form = `${part('size', '3')}${part('file', 'abc', '; filename="a.txt"')}--b--\r\n`
const asForm = { 'Content-Type': 'multipart/form-data; boundary=b' }

for (const attachFieldsToBody of [false, 'keyValues'] as const)
  t.test(`attachFieldsToBody: ${attachFieldsToBody}`, async (t) => {
    const extend = async (app: FastifyInstance) => {
      await app.register(multipart, { attachFieldsToBody })
      app.post('/own', async (request) => {
        if (attachFieldsToBody) return Object.keys(Object(request.body))
        const names: string[] = []
        for await (const { fieldname, type, ...rest } of request.parts()) {
          names.push(fieldname)
          if (type === 'file' && 'toBuffer' in rest) await rest.toBuffer()
        }
        return names
      })
    }
    const handlers = {
      takeThing: ({ body: { size, file } }: { body: { size: number; file: Buffer } }) => ({
        status: 200,
        body: { size, file: String(file) }
      })
    }
    for (const { name, base, ask } of await hosts(t, { extend, handlers })) {
      t.match(await ask(request('POST /own', form, asForm)), { status: 200, value: ['size', 'file'] }, name)
      const taken = await ask(request(`POST ${base}/things`, form, asForm))
      t.match(taken, { status: 200, value: { size: 3, file: 'abc' } }, name)
      const wrong = await ask(request(`POST ${base}/things`, `${part('size', 'x')}--b--\r\n`, asForm))
      t.match(wrong, { status: 400, value: { code: 'mismatch' } }, name)
    }
  })
