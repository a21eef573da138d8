/** Process that receives uploads: `node upload-server.ts CONTRACT FOLDER`. Writes its port when it listens. */
import process, { argv, stdout } from 'node:process'
import type { Readable } from 'node:stream'
import { createContractServer } from '../../../../src/engine/server.ts'

const [, , contract = '', uploadFolder = ''] = argv

async function size(body: Readable): Promise<number> {
  let bytes = 0
  for await (const chunk of body) bytes += chunk.length
  return bytes
}

interface Form {
  readonly file: { stream(): Readable }
}

const app = await createContractServer({
  contract: (await import(contract)).default,
  security: {},
  handlers: {
    bytes: async ({ body }: { body: Readable }) => ({ status: 200, body: await size(body) }),
    form: async ({ body }: { body: Form }) => ({ status: 200, body: await size(body.file.stream()) }),
    hang: () => new Promise(() => undefined)
  },
  errorBody: ({ code }) => ({ code }),
  uploadFolder
})
process.once('SIGTERM', () => app.close())
const address = await app.listen({ host: '127.0.0.1', port: 0 })
stdout.write(`${new URL(address).port}\n`)
