/** Plants defects, looks for their findings, and runs the `curl` line of a finding. */
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { checkConformance } from '../../../src/compiler/conformance.ts'
import { listening } from './checked-server.ts'
import { defects } from './defects.ts'
import { type Front, frontedServer, key, mockOf, token } from './fronts.ts'

/** Operation that creates what a path names: a server that is silent must answer it, otherwise none counts as found. */
const creating: Readonly<Record<string, readonly string[]>> = { shop: ['POST /items'] }

async function checkFronted(t: Test, contract: string, front: Front, options: object) {
  const { url, close } = await listening(await frontedServer(contract, front))
  t.teardown(close)
  const { compiled } = await mockOf(contract)
  const credentials = contract === 'shop' || contract === 'desk' ? { token } : {}
  const headers = contract === 'shop' ? { headers: { 'X-Key': key } } : {}
  const base = new URL(contract === 'depot' ? '/v2' : '/', url)
  return checkConformance({ ...compiled, ...credentials, ...headers, url: base, ...options })
}

export async function findings(t: Test, contract: string, operation: string, front: Front, options: object) {
  const { compiled } = await mockOf(contract)
  const [, path = ''] = operation.split(' ')
  const isDeclared = compiled.contract.operations.some((each) => `${each.method} ${each.path}` === operation)
  const further = /^\/(?:items\/|status)/.test(path) ? (creating[contract] ?? []) : []
  const only = [isDeclared ? operation : path, ...further]
  return (await checkFronted(t, contract, front, { only, ...options })).report.findings
}

/** Plants each defect of the contracts: it is found, and its curl line shows it again. The correct servers have none. */
export function runDefects(t: Test, ...contracts: readonly string[]): void {
  for (const contract of contracts) {
    for (const [finding, rows] of Object.entries(defects[contract] ?? {}))
      for (const [defect, front] of Object.entries(rows))
        t.test(`${contract}, ${finding}: ${defect}`, async (t) => {
          const [name, operation = ''] = finding.split(/ (.*)/)
          const [, message = ''] = defect.split(' → ')
          const found = await findings(t, contract, operation, front, {
            seed: 1,
            requests: /in (?:forty|fifty)/.test(defect) ? 200 : 0,
            timeoutMs: name === 'time-out' ? 300 : 30_000
          })
          const messages = found.map((each) => each.message)
          t.equal(new Set(messages).size, messages.length, 'each finding is listed once')
          const shown = found.find(
            (each) => each.check === name && each.operation === operation && each.message.match(message)
          )
          t.ok(shown, JSON.stringify(messages))
          if (shown === undefined) return
          t.ok(shown.message.startsWith(`${operation} `), shown.message)
          // What a server has deleted it does not delete again.
          if (defect.startsWith('a resource that nobody created')) return
          t.equal(await replay(shown.curl), shown.response?.status ?? null, shown.curl)
        })

    t.test(`a correct ${contract} has no finding`, async (t) => {
      const { report, locked, unchecked } = await checkFronted(t, contract, {}, { requests: 20 })
      t.strictSame(
        report.findings.map(({ message, curl }) => [message, curl]),
        []
      )
      t.strictSame([locked, unchecked], [[], []])
    })
  }
}

export interface Replayed {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** Runs a shell in which `curl` prints its arguments. */
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
  const length = body && { 'content-length': body.length }
  const sent = request(origin, {
    ...{ method, path: url.slice(origin.length), timeout: 3000 },
    headers: { ...headers, ...length }
  })
  return new Promise((resolve) => {
    sent.on('response', (response) => {
      // What follows an answer without content is an error of the connection.
      if (response.statusCode === 204) resolve(204)
      const timer = setTimeout(() => response.destroy(new Error('endless')), 3000)
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
