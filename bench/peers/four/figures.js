/** Times and CPU of the programs: a busy machine prolongs the times, and hardly changes the order. */
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../measure.ts'
import { threadCpu } from '../../thread-cpu.ts'
import { ask, limit, note } from './cases.js'

const rounds = 3
const connections = 16
const posts = 6_000
/** Time in which the watchers start. */
const settleMs = 5_000
const answerTimeoutMs = 60_000

/**
 * Returns the seconds from the save of an edit to the first answer by it.
 * @param copyOf makes a copy of the program for each round
 */
export async function followed(copyOf, tool) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    const program = copyOf()
    const server = await program.watch()
    await sleep(settleMs)
    const saved = performance.now()
    program.edit(tool.edits.limit ?? limit.edit)
    const isFollowed = await refuses(server.origin)
    times.push(isFollowed ? (performance.now() - saved) / 1_000 : Number.POSITIVE_INFINITY)
    await server.stop()
  }
  return median(times)
}

async function refuses(origin) {
  const deadline = performance.now() + answerTimeoutMs
  while (performance.now() < deadline) {
    const { status } = await ask(origin, limit.request).catch(() => ({}))
    if (status === 400) return true
    await sleep(10)
  }
  return false
}

/** Returns the CPU time of the event loop for a POST, by tool, as a ratio to that of bare Fastify. */
export async function cpuOf(programs) {
  const measured = Object.fromEntries(Object.keys(programs).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, program] of Object.entries(programs)) {
      const server = await program.start()
      await load(server.origin)
      const before = threadCpu(server.pid).get('event loop')
      await load(server.origin)
      measured[name].push(threadCpu(server.pid).get('event loop') - before)
      await server.stop()
    }
  const ratios = Object.entries(measured).map(([name, cpus]) => [
    name,
    median(cpus.map((cpu, round) => cpu / measured.bare[round]))
  ])
  return Object.fromEntries(ratios)
}

async function load(origin) {
  const client = async () => {
    for (let sent = 0; sent < posts / connections; sent++) {
      const { status } = await ask(origin, { body: note })
      if (status !== 201) throw new Error(`${status}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
}
