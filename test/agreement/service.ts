/** A service that records the arguments of its handlers and returns given answers. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { writeFiles } from '../../src/compiler/compile/emit/write.ts'
import { type Contract, createContractServer } from '../../src/engine/server.ts'
import { compileDocument } from '../contracts/compile-cache.ts'

export interface Seen {
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly headers: Record<string, unknown>
  readonly cookies: Record<string, unknown>
  readonly body: unknown
}

export class Service {
  readonly folder: string
  readonly origin: string
  readonly #app: FastifyInstance
  readonly #state: State

  private constructor(folder: string, app: FastifyInstance, state: State) {
    this.folder = folder
    this.#app = app
    this.#state = state
    this.origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  }

  static async start(document: object): Promise<Service> {
    const folder = await mkdtemp(join(tmpdir(), 'agreement-'))
    await writeFiles(await compileDocument(document, folder), folder)
    const { default: contract } = (await import(pathToFileURL(join(folder, 'contract.ts')).href)) as {
      default: Contract
    }
    const state: State = { seen: undefined, answer: { status: 200 } }
    const handler = (request: Seen) => {
      state.seen = request
      return state.answer
    }
    const handlers = Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, handler]))
    const errorBody = ({ message }: { readonly message: string }) => ({ message })
    const app = await createContractServer({ contract, handlers, security: {}, errorBody })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return new Service(folder, app, state)
  }

  /** @returns the response, and the arguments of the handler if it was called */
  async exchange(path: string, request: RequestInit, answer: object): Promise<Exchanged> {
    this.#state.seen = undefined
    this.#state.answer = answer
    const response = await fetch(this.origin + path, { method: 'POST', ...request })
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      seen: this.#state.seen
    }
  }

  async stop(): Promise<void> {
    await this.#app.close()
    await rm(this.folder, { recursive: true, force: true })
  }
}

interface State {
  seen: Seen | undefined
  answer: object
}

export interface Exchanged {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly seen: Seen | undefined
}
