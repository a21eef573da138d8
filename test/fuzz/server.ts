/** The process that the fuzzer attacks: one server for each contract. It reports its state to its parent when asked. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LogController } from 'fastify'
import { writeFiles } from '../../src/compiler/compile/emit/write.ts'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'
import { createContractServer } from '../../src/engine/server.ts'
import { compileCached, keepContract } from '../contracts/compile-cache.ts'
import { contracts } from './contracts.ts'

export interface ServerState {
  readonly ports: readonly number[]
  readonly connections: number
  readonly rss: number
  /** Lines of the log at level error or above. */
  readonly errors: readonly string[]
}

const errors: string[] = []
const stream = {
  write: (line: string) => {
    if (JSON.parse(line).level >= 50) errors.push(line)
  }
}

async function serve(contract: Contract) {
  const handlers = Object.fromEntries(
    contract.operations.map(({ operationId }) => [operationId, async () => ({ status: 200, body: 'ok' })])
  )
  const app = await createContractServer({
    contract,
    handlers,
    security: {},
    errorBody: ({ code, message }) => ({ code, message }),
    fastify: {
      bodyLimit: 65_536,
      // The client ends every connection itself, even on a stalled machine.
      requestTimeout: 60_000,
      keepAliveTimeout: 60_000,
      logController: new LogController({ disableRequestLogging: true }),
      logger: { level: 'error', stream }
    }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app.server
}

const folder = await mkdtemp(join(tmpdir(), 'fuzz-'))
const servers = await Promise.all(
  contracts.map(async ({ document }, index) => {
    const whole = { openapi: '3.1.0', info: { title: 'Fuzz', version: '1' }, ...Object(document) }
    const out = join(folder, String(index))
    await writeFiles(await compileCached(await keepContract(`fuzz-${index}`, whole), out), out)
    return serve((await import(pathToFileURL(join(out, 'contract.ts')).href)).default)
  })
)
await rm(folder, { recursive: true })

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

async function state(): Promise<ServerState> {
  collect()
  const counts = servers.map(
    (server) => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  )
  const connections = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  const ports = servers.map((server) => Object(server.address()).port)
  return { ports, connections, rss: process.memoryUsage.rss(), errors }
}

process.on('message', async () => process.send?.(await state()))
process.on('disconnect', () => process.exit())
process.send?.(await state())
