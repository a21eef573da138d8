/**
 * CPU of a create against bare Fastify, measured so that other work on the machine hardly changes it: the servers share
 * one process, take turns of a few milliseconds, and each ratio compares two consecutive turns.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median } from './measure.ts'
import { Slices } from './slices.ts'
import { token } from './target.ts'
import { threadCpu } from './thread-cpu.ts'

export interface SideBySide {
  readonly engine: number
  readonly service: number
}

const connections = 64
/** Requests of each connection in one turn. */
const each = 8
const warmUpTurns = 40
const turns = 80
const printedUrl = /http:\/\/127\.0\.0\.1:\d+(?=\n)/g

/** @returns the median of the ratios */
export async function sideBySide(): Promise<SideBySide> {
  const environment = { PORT: '0', AUTH_TOKENS: token, LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'targets/side-by-side.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  try {
    const urls = await printedUrls(child)
    const servers = await Promise.all(urls.map((url) => Slices.connect(url, connections)))
    const [bare = [], engine = [], service = []] = await costsOfTurns(servers, () =>
      eventLoopCpu(Number(child.pid))
    )
    for (const server of servers) server.close()
    return { engine: ratio(engine, bare), service: ratio(service, bare) }
  } finally {
    child.kill('SIGKILL')
  }
}

async function printedUrls(child: ChildProcess): Promise<readonly string[]> {
  let output = ''
  child.stdout?.on('data', (text) => {
    output += text
  })
  for (;;) {
    const urls = output.match(printedUrl) ?? []
    if (urls.length >= 3) return urls.slice(0, 3)
    await once(child.stdout ?? child, 'data')
  }
}

/** Returns the CPU time of the event loop, without V8's background threads, for all servers together. */
const eventLoopCpu = (pid: number): number => threadCpu(pid).get('event loop') ?? Number.NaN

function ratio(over: readonly number[], under: readonly number[]): number {
  return median(over.map((cost, turn) => cost / (under[turn] ?? Number.NaN)))
}

/** @returns for each server the CPU of each turn, in microseconds */
async function costsOfTurns(servers: readonly Slices[], cpu: () => number): Promise<readonly number[][]> {
  for (let turn = 0; turn < warmUpTurns; turn++) for (const server of servers) await server.run(each)
  const found: number[][] = servers.map(() => [])
  for (let turn = 0; turn < turns; turn++)
    for (const [index, server] of rotated(servers, turn)) {
      const before = cpu()
      await server.run(each)
      found[index]?.push(cpu() - before)
    }
  return found
}

/** Rotates the order, so that each server follows each other one equally often. */
function rotated<T>(items: readonly T[], by: number): readonly (readonly [number, T])[] {
  const from = by % items.length
  const numbered = items.map((item, index) => [index, item] as const)
  return [...numbered.slice(from), ...numbered.slice(0, from)]
}
