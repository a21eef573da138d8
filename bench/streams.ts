/** Streams of the engine against the same by hand on bare Fastify without any check: CPU, memory, time of an upload. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { compileContract, writeFiles } from '@contract-first/compiler'
import { median } from './measure.ts'
import { atMost, heading, information } from './report.ts'
import type { Plan } from './sqlite.ts'
import { threadCpu } from './thread-cpu.ts'

const [itemsOfTurn, turns, openStreams, uploadBytes] = [20_000, 30, 1_000, 2 ** 30]
const project = join(import.meta.dirname, '..')
const kinds = ['bare', 'engine'] as const

const item = {
  type: 'object',
  required: ['id', 'name', 'note', 'isRare'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    note: { type: 'string' },
    isRare: { type: 'boolean' }
  }
}
const ok = (content: object) => ({ 200: { description: 'ok', content } })
const query = (name: string, type: string) => ({ name, in: 'query', schema: { type } })
const content = { 'application/octet-stream': { 'x-stream': true, 'x-body-limit': 2 * uploadBytes } }
const contract = {
  openapi: '3.2.0',
  info: { title: 'Streams', version: '1' },
  paths: {
    '/items': {
      get: {
        operationId: 'items',
        parameters: [query('count', 'integer'), query('waits', 'string')],
        responses: ok({ 'application/jsonl': { itemSchema: item } })
      }
    },
    '/bytes': {
      put: {
        operationId: 'bytes',
        requestBody: { required: true, content },
        responses: ok({ 'application/json': {} })
      }
    }
  }
}

export async function benchStreams({ folder, rounds }: Plan): Promise<void> {
  const compiled = join(folder, 'streams')
  mkdirSync(compiled)
  // The compiled contract imports the engine.
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'streams.json'), JSON.stringify(contract))
  await writeFiles((await compileContract(join(folder, 'streams.json'), compiled)).files, compiled)
  heading('Streams, against bare Fastify by hand without any check')
  atMost('CPU of an item of 100 bytes', await cpuRatio(compiled), 1.3)
  const [bare, engine] = [await memory('bare', compiled), await memory('engine', compiled)]
  for (const [index, { idle, open }] of [bare, engine].entries())
    information(`${kinds[index]}: MB for ${openStreams} open streams, beyond ${idle.toFixed(0)}`, open - idle)
  atMost(`memory with ${openStreams} open streams`, engine.open / bare.open, 1.3)
  atMost('time of an upload of 1 GiB to a file', await uploadRatio(compiled, rounds), 1.2)
}

interface Started {
  readonly child: ChildProcess
  readonly urls: readonly string[]
}

async function start(compiled: string, ...names: readonly string[]): Promise<Started> {
  const args = [join(import.meta.dirname, 'targets/streams.ts'), ...names, compiled]
  const child = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  while (output.split('\n').length <= names.length) await once(child.stdout, 'data')
  return { child, urls: output.trim().split('\n') }
}

async function answered(url: string, method = 'GET', bytes = 0): Promise<IncomingMessage> {
  const headers = bytes > 0 ? { 'content-type': 'application/octet-stream', 'content-length': bytes } : {}
  const sent = request(url, { method, headers, agent: false })
  const answer = once(sent, 'response')
  const chunk = Buffer.alloc(2 ** 18)
  for (let left = bytes; left > 0; left -= chunk.length) if (!sent.write(chunk)) await once(sent, 'drain')
  sent.end()
  const [response] = await answer
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  return response
}

async function whole(url: string, method?: string, bytes?: number): Promise<void> {
  const response = await answered(url, method, bytes)
  await once(response.resume(), 'end')
}

/** Both servers share a process and take turns; each ratio compares two consecutive turns. */
async function cpuRatio(compiled: string): Promise<number> {
  const { child, urls } = await start(compiled, ...kinds)
  const cpu = () => threadCpu(Number(child.pid)).get('event loop') ?? Number.NaN
  const costs: number[][] = [[], []]
  for (let turn = 0; turn < turns; turn++)
    for (const index of turn % 2 === 0 ? [0, 1] : [1, 0]) {
      const before = cpu()
      await whole(`${urls[index]}/items?count=${itemsOfTurn}`)
      costs[index]?.push(cpu() - before)
    }
  child.kill()
  const [bare = [], engine = []] = costs.map((each) => each.slice(turns / 3))
  for (const [index, each] of [bare, engine].entries())
    information(`${kinds[index]}: µs of an item`, median(each) / itemsOfTurn)
  return median(engine.map((cost, turn) => cost / (bare[turn] ?? Number.NaN)))
}

const resident = ({ pid }: ChildProcess) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

async function memory(kind: string, compiled: string): Promise<{ idle: number; open: number }> {
  const { child, urls } = await start(compiled, kind)
  await whole(`${urls[0]}/items?count=1`)
  const idle = resident(child)
  for (let count = 0; count < openStreams; count++)
    (await answered(`${urls[0]}/items?count=2&waits=1`)).resume()
  const open = resident(child)
  child.kill()
  return { idle, open }
}

async function uploadRatio(compiled: string, rounds: number): Promise<number> {
  const started = await Promise.all(kinds.map((kind) => start(compiled, kind)))
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const times = [0, 0]
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const began = performance.now()
      await whole(`${started[index]?.urls[0]}/bytes`, 'PUT', uploadBytes)
      times[index] = performance.now() - began
    }
    ratios.push((times[1] ?? 0) / (times[0] ?? 0))
  }
  for (const { child } of started) child.kill()
  return median(ratios.slice(1))
}
