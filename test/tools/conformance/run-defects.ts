/** Plants defects, looks for their findings, and runs the `curl` line of a finding. */
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { checkConformance, type Finding } from '../../../src/compiler/conformance.ts'
import { listening } from './checked-server.ts'
import { defects } from './defects.ts'
import { type Front, frontedServer, key, mockOf, together, token } from './fronts.ts'

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

type Row = readonly [defect: string, front: Front]

/** Returns the place of a changed request that a defect names behind its arrow: `body/lines/.`; otherwise an empty text. */
const placeOf = ([defect, { request }]: Row): string =>
  (request && / → ((?:body|query|headers|params|cookies)\/\S*)/.exec(defect)?.[1]) ?? ''

/**
 * Returns true for changes of requests whose findings are apart: each names a place, which is not within that of the other.
 * Of the defects of one answer only the first is reported.
 */
function areApart(one: Row, other: Row): boolean {
  const [place, further] = [placeOf(one), placeOf(other)]
  return place !== '' && further !== '' && !place.startsWith(further) && !further.startsWith(place)
}

/** Distributes defects over servers: one check of a server then finds all of its defects. */
function serversOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const servers: Row[][] = []
  for (const row of rows) {
    const shared = servers.find((others) => others.every((other) => areApart(row, other)))
    if (shared === undefined) servers.push([row])
    else shared.push(row)
  }
  return servers
}

/** Plants each defect of the contracts: it is found, and its curl line shows it again. The correct servers have none. */
export function runDefects(t: Test, ...contracts: readonly string[]): void {
  for (const contract of contracts) {
    for (const [finding, rows] of Object.entries(defects[contract] ?? {}))
      for (const planted of serversOf(Object.entries(rows))) {
        const names = planted.map(([defect]) => defect)
        t.test(`${contract}, ${finding}: ${names.join('; ')}`, async (t) => {
          const [name = '', operation = ''] = finding.split(/ (.*)/)
          const isRare = /in (?:forty|fifty)/.test(names.join())
          const search = (seed: number) =>
            findings(t, contract, operation, together(planted.map(([, front]) => front)), {
              seed,
              requests: isRare ? 200 : 0,
              timeoutMs: name === 'time-out' ? 300 : 30_000
            })
          const first = await search(1)
          // What one value in forty shows is found by chance: the search of one seed in ten misses it.
          const found = isRare && first.length === 0 ? await search(2) : first
          const messages = found.map((each) => each.message)
          t.equal(new Set(messages).size, messages.length, 'each finding is listed once')
          const own = found.filter((each) => each.check === name && each.operation === operation)
          for (const defect of names) await assertShown(t, defect, own)
        })
      }

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

async function assertShown(t: Test, defect: string, found: readonly Finding[]): Promise<void> {
  const [, message = ''] = defect.split(' → ')
  const shown = found.find((each) => each.message.match(message))
  t.ok(shown, `${defect}: ${JSON.stringify(found.map((each) => each.message))}`)
  if (shown === undefined) return
  t.ok(shown.message.startsWith(`${shown.operation} `), shown.message)
  // What a server has deleted it does not delete again.
  if (defect.startsWith('a resource that nobody created')) return
  t.equal(await replay(shown.curl), shown.response?.status ?? null, shown.curl)
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
