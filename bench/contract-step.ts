/** One step of contracts.ts in a process of its own: `generate CONTRACT OUT`, or `boot OUT` (of nothing: an empty server). */
import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Contract } from '../src/contract/model/compiled-contract.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const [task, given = '', out = ''] = process.argv.slice(2)
const result = task === 'generate' ? await generate() : await boot()
console.log(JSON.stringify(result))

async function generate(): Promise<object> {
  const { compileContract } = await import('../src/contract/compile/compile.ts')
  const { writeFiles } = await import('../src/contract/compile/emit/write.ts')
  const started = performance.now()
  const { files, operations } = await compileContract(given, out)
  await writeFiles(files, out)
  const seconds = Math.round(performance.now() - started) / 1000
  return {
    operations: operations.length,
    'generate, s': seconds,
    'memory, MB': Math.round(process.resourceUsage().maxRSS / 1000)
  }
}

async function boot(): Promise<object> {
  const { createContractServer } = await import('../src/contract/server.ts')
  const started = performance.now()
  const app = given === '' ? Fastify() : await contractServer(createContractServer)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const ready = performance.now()
  if (given !== '') await request(app)
  const first = performance.now() - ready
  const median = given === '' ? 0 : await medianRequest(app)
  await app.close()
  return { boot: ready - started, first: Math.round(first), median }
}

async function contractServer(
  create: typeof import('../src/contract/server.ts')['createContractServer']
): Promise<FastifyInstance> {
  const module = await import(pathToFileURL(`${given}/contract.ts`).href)
  const contract = module.default as Contract
  const stub = async () => ({ status: 200, body: {} })
  const handlers = Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, stub]))
  return create({ contract, handlers, security: {}, errorBody: ({ message }) => ({ message }) })
}

/** GitHub's first operation, `GET /`; its stub is answered with what does not fit it, as of every contract here. */
function request(app: FastifyInstance): Promise<void> {
  const { port } = app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, (response) => response.resume().on('end', resolve)).on(
      'error',
      reject
    )
  })
}

async function medianRequest(app: FastifyInstance): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < 5000; count++) {
    const started = performance.now()
    await request(app)
    times.push(performance.now() - started)
  }
  agent.destroy()
  return Math.round((times.toSorted((a, b) => a - b)[2500] ?? 0) * 1000)
}
