/** Equal seeds send exactly the same requests to servers that answer alike; further seeds send others. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { deskToken } from './desk.ts'
import { deskServer } from './desk-server.ts'
import { listening } from './listening.ts'

t.setTimeout(900_000)
const { contract, model } = await compileInMemory('test/tools/conformance/desk.yaml')
/** Operations with ids, bodies of two media types, queries, and credentials in a body. */
const only = ['/tickets', '/tickets/{ticketId}/comments', 'login', 'deleteTicket']

async function recorded(seed: number): Promise<readonly string[]> {
  const asked: string[] = []
  const server = deskServer()
  server.prependListener('request', (request) => {
    const digest = createHash('sha256')
    const at = asked.push('') - 1
    request.on('data', (chunk) => digest.update(chunk))
    request.on('end', () => {
      const { host: _host, ...headers } = request.headers
      asked[at] = `${request.method} ${request.url} ${JSON.stringify(headers)} ${digest.digest('hex')}`
    })
  })
  const { url, close } = await listening(server)
  try {
    await checkConformance({ contract, model, url, token: deskToken, seed, only, requests: 5 })
    return asked
  } finally {
    close()
  }
}

t.test('two runs with one seed send the same requests in the same order', async (t) => {
  const [first, second, other] = [await recorded(7), await recorded(7), await recorded(8)]
  t.ok(first.length > 500, String(first.length))
  t.strictSame(second, first)
  t.notSame(other, first)
})
