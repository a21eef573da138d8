/** A built server, started as a child process in its own folder, with one request to each of its contracts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'

export interface Answer {
  readonly status: number
  readonly body: string
}

export interface BuiltServer {
  /** Creates a plant. */
  readonly plants: (body: string) => Promise<Answer>
  /** Calls the last of many operations. */
  readonly many: (body: string) => Promise<Answer>
}

/**
 * @param file the entry of the built server, in a folder with nothing else of the project
 * @throws {Error} with its output when it ends without having printed its URLs
 */
export async function startBuilt(t: Test, file: string): Promise<BuiltServer> {
  const child = spawn(process.execPath, [file], { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (data) => (errors += data))
  const ended = once(child, 'close').then(() => Promise.reject(new Error(errors)))
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  const [plants, many] = JSON.parse(String(line)) as [string, string]
  return { plants: (body) => post(`${plants}/plants`, body), many: (body) => post(`${many}/o300`, body) }
}

async function post(url: string, body: string): Promise<Answer> {
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, body: await response.text() }
}
