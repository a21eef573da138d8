/** Fills and reads stores with the commands of this project. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { residentMegabytes } from './resident.ts'

const flags = ['--max-semi-space-size=4']

export interface Run {
  readonly seconds: number
  /** Peak resident memory in MB; Linux only. */
  readonly megabytes: number
}

/** Runs a script with the flags of the npm script of that name. */
export async function run(script: string, databaseUrl: string, input?: Iterable<string>): Promise<Run> {
  const began = performance.now()
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, '..', script)], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  child.stdout.resume()
  let megabytes = 0
  const timer = setInterval(() => {
    megabytes = Math.max(megabytes, residentMegabytes(child.pid))
  }, 50)
  const exit = once(child, 'exit')
  for (const text of input ?? []) if (!child.stdin.write(text)) await once(child.stdin, 'drain')
  child.stdin.end()
  const [code] = await exit
  clearInterval(timer)
  if (code !== 0) throw new Error(`${script} ended with ${code}`)
  return { seconds: (performance.now() - began) / 1_000, megabytes }
}

/** Spreads the ids over the range from which the load generator takes its own. */
export function* plants(count: number): Generator<string> {
  let text = ''
  for (let index = 0; index < count; index++) {
    text += `{"id":${1e15 + Math.floor(8e15 / count) * index},"name":"Monstera deliciosa","tag":"climber"}\n`
    if (text.length < 65_536) continue
    yield text
    text = ''
  }
  yield text
}
