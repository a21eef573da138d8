/**
 * Streams by hand on bare Fastify, without any check, and the same by the engine: `node streams.ts KIND… FOLDER`, with
 * the compiled contract in the folder. Prints the URL of each.
 */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createContractServer } from '@contract-first/engine/server'
import Fastify from 'fastify'

const folder = String(process.argv.at(-1))
const file = join(folder, `upload-${process.pid}`)

/** Yields items of about 100 bytes; after `count` of them it waits if it is told to. */
async function* items(count: number, waits: boolean) {
  for (let id = 0; id < count; id++)
    yield { id, name: 'Monstera deliciosa', note: 'x'.repeat(48), isRare: id % 2 === 0 }
  if (waits) await new Promise(() => undefined)
}

async function* lines(count: number, waits: boolean) {
  for await (const item of items(count, waits)) yield `${JSON.stringify(item)}\n`
}

async function bare(): Promise<string> {
  const app = Fastify()
  app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null))
  app.get<{ Querystring: { count: string; waits?: string } }>('/items', ({ query }, reply) =>
    reply.type('application/jsonl').send(Readable.from(lines(Number(query.count), query.waits !== undefined)))
  )
  app.put('/bytes', async ({ raw }) => {
    await pipeline(raw, createWriteStream(file))
    return {}
  })
  return await app.listen({ host: '127.0.0.1', port: 0 })
}

interface Request {
  readonly query: { readonly count: number; readonly waits?: string }
  readonly body: Readable
}

async function engine(): Promise<string> {
  const app = await createContractServer({
    contract: (await import(join(folder, 'contract.ts'))).default,
    handlers: {
      items: ({ query: { count, waits } }: Request) => ({
        status: 200,
        body: items(count, waits !== undefined)
      }),
      bytes: async ({ body }: Request) => {
        await pipeline(body, createWriteStream(file))
        return { status: 200, body: {} }
      }
    },
    security: {},
    errorBody: ({ code }) => ({ code })
  })
  return await app.listen({ host: '127.0.0.1', port: 0 })
}

for (const kind of process.argv.slice(2, -1)) console.log(await (kind === 'bare' ? bare() : engine()))
