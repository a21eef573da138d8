/** Runs the `curl` line of a finding in a shell in which `curl` prints its arguments, and sends the request. */
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { promisify } from 'node:util'
import { key, token } from './shop-defects.ts'

export interface Replayed {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

const run = promisify(execFile)
const printed = `curl() { printf '%s\\0' "$@"; case "$*" in *@-) cat;; esac; }`

/** Returns the request that curl would send; standard input is the body if the arguments say so. */
export async function curlRequest(line: string): Promise<Replayed> {
  const { stdout } = await run('sh', ['-c', `${printed}\n${line}`], {
    encoding: 'buffer',
    maxBuffer: 10_000_000,
    env: { ...process.env, TOKEN: token, X_KEY: key }
  })
  const args: string[] = []
  let at = 0
  for (let end = stdout.indexOf(0); end >= 0 && args.at(-1) !== '@-'; end = stdout.indexOf(0, at)) {
    args.push(stdout.subarray(at, end).toString())
    at = end + 1
  }
  const argumentAfter = (name: string) => args[args.indexOf(name) + 1]
  const headers = args
    .flatMap((arg, index) => (args[index - 1] === '-H' ? [arg] : []))
    .map((text) => /^([^:;]+)(?:: (.*)|;)$/.exec(text) ?? [])
  const data = args.includes('--data-binary') ? argumentAfter('--data-binary') : undefined
  return {
    method: args.includes('--head') ? 'HEAD' : String(argumentAfter('-X')),
    url: args.find((arg) => arg.startsWith('http')) ?? '',
    headers: Object.fromEntries(
      headers.flatMap(([, name, value = '']) => (name === undefined ? [] : [[name, value]]))
    ),
    body: data === '@-' ? stdout.subarray(at) : data === undefined ? undefined : Buffer.from(data)
  }
}

/** Returns the status of the answer; null when none comes in time. */
export async function replay(line: string): Promise<number | null> {
  const { method, url, headers, body } = await curlRequest(line)
  const { origin } = new URL(url)
  const sent = request(origin, { method, path: url.slice(origin.length), headers, timeout: 300 })
  return new Promise((resolve) => {
    sent.on('response', (response) => {
      // What follows an answer without content is an error of the connection.
      if (response.statusCode === 204) resolve(204)
      const timer = setTimeout(() => response.destroy(new Error('endless')), 300)
      response
        .on('error', () => resolve(null))
        .on('end', () => resolve(Number(response.statusCode)))
        .on('close', () => clearTimeout(timer))
        .resume()
    })
    sent.on('timeout', () => sent.destroy()).on('error', () => resolve(null))
    sent.end(body)
  })
}
