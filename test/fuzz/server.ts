/** The process that the fuzzer attacks. It reports its state to its parent when asked. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LogController } from 'fastify'
import { writeFiles } from '../../src/compiler/compile/emit/write.ts'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'
import { createContractServer } from '../../src/engine/server.ts'
import { compileCached } from '../contracts/compile-cache.ts'

export interface ServerState {
  readonly port: number
  readonly connections: number
  readonly rss: number
  /** Lines of the log at level error or above. */
  readonly errors: readonly string[]
}

const folder = await mkdtemp(join(tmpdir(), 'fuzz-'))
await writeFiles(await compileCached(resolve(import.meta.dirname, 'contract.yaml'), folder), folder)
const contract: Contract = (await import(pathToFileURL(join(folder, 'contract.ts')).href)).default

const errors: string[] = []
const write = (line: string) => {
  if (JSON.parse(line).level >= 50) errors.push(line)
}
const ok = async () => ({ status: 200, body: 'ok' })
const app = await createContractServer({
  contract,
  handlers: Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, ok])),
  security: {},
  errorBody: ({ code, message }) => ({ code, message }),
  fastify: {
    bodyLimit: 65_536,
    // The client ends every connection itself, even on a stalled machine.
    requestTimeout: 60_000,
    keepAliveTimeout: 60_000,
    logController: new LogController({ disableRequestLogging: true }),
    logger: { level: 'error', stream: { write } }
  }
})
const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
await rm(folder, { recursive: true })

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

async function state(): Promise<ServerState> {
  collect()
  const connections = await new Promise<number>((resolve) =>
    app.server.getConnections((_error, count) => resolve(count))
  )
  return { port, connections, rss: process.memoryUsage.rss(), errors }
}

process.on('message', async () => process.send?.(await state()))
process.on('disconnect', () => process.exit())
process.send?.(await state())
