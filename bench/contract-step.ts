/** One step of contracts.ts, in a process of its own: `generate CONTRACT OUT`, or `boot OUT` (without OUT: an empty server). */
import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { Contract } from '@contract-first/engine/server'
import Fastify, { type FastifyInstance } from 'fastify'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const headers = { authorization: 'Bearer good' }
const [task, given = '', out = ''] = process.argv.slice(2)
const result = task === 'generate' ? await generate() : await boot()
console.log(JSON.stringify(result))

async function generate(): Promise<object> {
  const { compileContract, writeFiles } = await import('@contract-first/compiler')
  const [started, cpu] = [performance.now(), cpuMilliseconds()]
  const { files, operations } = await compileContract(given, out)
  await writeFiles(files, out)
  const seconds = Math.round(performance.now() - started) / 1000
  return {
    operations: operations.length,
    'generate, s': seconds,
    'generate, s of CPU': Math.round(cpuMilliseconds() - cpu) / 1000,
    'memory, MB': Math.round(process.resourceUsage().maxRSS / 1000)
  }
}

/** Returns the CPU time of all threads. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

interface Booted {
  readonly app: FastifyInstance
  readonly path: string
}

async function boot(): Promise<object> {
  const { createContractServer } = await import('@contract-first/engine/server')
  const [started, cpu] = [performance.now(), cpuMilliseconds()]
  const booted = given === '' ? { app: Fastify(), path: '/' } : await contractServer(createContractServer)
  await booted.app.listen({ port: 0, host: '127.0.0.1' })
  const [ready, readyCpu] = [performance.now(), cpuMilliseconds()]
  if (given !== '') await request(booted)
  const [first, firstCpu] = [performance.now() - ready, cpuMilliseconds() - readyCpu]
  const median = given === '' ? 0 : await medianRequest(booted)
  await booted.app.close()
  return {
    boot: ready - started,
    bootCpu: Math.round(readyCpu - cpu),
    first: Math.round(first),
    firstCpu: Math.round(firstCpu),
    median
  }
}

async function contractServer(
  create: typeof import('@contract-first/engine/server')['createContractServer']
): Promise<Booted> {
  const module = await import(pathToFileURL(`${given}/contract.ts`).href)
  const contract = module.default as Contract
  const stub = async () => ({ status: 200, body: {} })
  const handlers = Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, stub]))
  const security = Object.fromEntries(Object.keys(contract.securitySchemes).map((name) => [name, () => true]))
  const app = await create({ contract, handlers, security, errorBody: ({ message }) => ({ message }) })
  return { app, path: firstPath(contract) }
}

/** Returns the path of the first GET; every path parameter is `1`. */
function firstPath({ operations }: Contract): string {
  const operation = operations.find(({ method }) => method === 'GET') ?? operations[0]
  return operation?.path.replaceAll(/\{[^{}]*\}/g, '1') ?? '/'
}

/** Sends a request. Its status does not matter: a stub answers with a body that fits no contract. */
function request({ app, path }: Booted): Promise<void> {
  const { port } = app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent, headers }, (response) =>
      response.resume().on('end', resolve)
    ).on('error', reject)
  })
}

async function medianRequest(booted: Booted): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < 5000; count++) {
    const started = performance.now()
    await request(booted)
    times.push(performance.now() - started)
  }
  agent.destroy()
  return Math.round((times.toSorted((a, b) => a - b)[2500] ?? 0) * 1000)
}
