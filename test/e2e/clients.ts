/** Clients with keep-alive connections that create the next plant after each response, or a short pause after a 503. */
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { token } from './running.ts'

export interface Load {
  /** Ids whose plant was acknowledged. */
  readonly acknowledged: number[]
  /** Counts of all other outcomes: a status, or the code of an error. */
  readonly others: Map<string, number>
  /** Resolves when the load was stopped or no server answers. */
  readonly ended: Promise<unknown>
  readonly stop: () => void
}

/**
 * Most connections that wait to be accepted: fewer than the 511 of Node's backlog, beyond which clients are reset, or
 * wait for minutes when a stalled machine accepts slowly.
 */
const maxConnecting = 400

export function createLoad(url: string, clients: number, bearer: () => string = () => token): Load {
  // By default Node keeps 256 idle connections; the other clients would connect again after each pause.
  const agent = new Agent({ keepAlive: true, maxSockets: clients, maxFreeSockets: clients })
  const others = new Map<string, number>()
  const acknowledged: number[] = []
  let isOver = false
  let next = 1
  const client = async () => {
    while (!isOver) {
      const id = next++
      const outcome = await create(url, agent, bearer(), id)
      if (outcome === '200') acknowledged.push(id)
      else others.set(outcome, (others.get(outcome) ?? 0) + 1)
      // One timer serves all: counted in turns, thousands of pauses would outlast the keep-alive time-out of the
      // service.
      if (outcome === '503') await setTimeout(250)
      if (!/^\d/.test(outcome)) return
    }
  }
  const all = async () => {
    const running: Promise<void>[] = []
    while (running.length < clients && !isOver) {
      running.push(...Array.from({ length: Math.min(maxConnecting, clients - running.length) }, client))
      if (running.length < clients) await accepted(url)
    }
    await Promise.all(running)
  }
  const ended = all().finally(() => agent.destroy())
  const stop = () => {
    isOver = true
  }
  return { acknowledged, others, ended, stop }
}

/** Resolves when all connections opened before are accepted: the server accepts them in order. */
async function accepted(url: string): Promise<void> {
  const [response] = await once(get(`${url}/-/live`, { agent: false }), 'response')
  await once(response.resume(), 'end')
}

function create(url: string, agent: Agent, bearer: string, id: number): Promise<string> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    const asked = request(`${url}/plants`, { agent, method: 'POST', headers })
    asked.on('error', onError).on('response', (response: IncomingMessage) => {
      response.on('error', onError).resume()
      response.on('end', () => resolve(String(response.statusCode)))
    })
    asked.end(`{"id":${id},"name":"plant ${id}"}`)
  })
}
