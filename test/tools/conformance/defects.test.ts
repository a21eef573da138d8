/** Servers with one defect each: the right check finds it on the right operation, and the `curl` line shows it again. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../../src/compiler/compiler.ts'
import { checkConformance, checks } from '../../../src/compiler/conformance.ts'
import { type Defect, frontedServer } from './fronts.ts'
import { hostelDefects } from './hostel-defects.ts'
import { listening } from './listening.ts'
import { replay } from './replay.ts'
import { key, shop, shopDefects, shopServer, token } from './shop-defects.ts'

t.setTimeout(900_000)
const hostel = await compileInMemory('test/tools/conformance/hostel.yaml')
const credentials = { token, headers: { 'X-Key': key } }

async function findings(t: Test, [name, front, , operation]: Defect, options: object) {
  const isShop = shopDefects.some(([each]) => each === name)
  const { url, close } = await listening(await (isShop ? shopServer(name) : frontedServer(hostel, front)))
  t.teardown(close)
  const [, path = ''] = operation.split(' ')
  const compiled = isShop ? { ...shop, ...credentials } : hostel
  const isDeclared = compiled.contract.operations.some((each) => `${each.method} ${each.path}` === operation)
  // What creates the resource of a path; a server that is silent must answer elsewhere, otherwise none counts as found.
  const further = isShop && /^\/(?:items\/|status)/.test(path) ? ['POST /items'] : []
  const only = [isDeclared ? operation : path, ...further]
  return (await checkConformance({ ...compiled, url, only, ...options })).report.findings
}

t.test('docs/conformance.md lists the checks, and a defect shows each', async (t) => {
  const page = readFileSync('docs/conformance.md', 'utf8')
  const [, table = ''] = /\| check \| finds \|\n\|---\|---\|\n(.*?)\n\n/s.exec(page) ?? []
  t.strictSame(
    [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name),
    [...checks]
  )
  t.strictSame([...new Set(shopDefects.map(([, , check]) => check))].sort(), [...checks].sort())
})

const rows = [shopDefects, hostelDefects].flatMap((table) => [...table.entries()])
for (const [seed, row] of rows) {
  const [defect, , check, operation, message] = row
  t.test(`${check} at ${operation}: ${defect}`, async (t) => {
    const isSilent = check === 'time-out'
    const found = await findings(t, row, {
      seed,
      requests: /forty/.test(defect) ? 200 : 0,
      timeoutMs: isSilent ? 300 : 30_000
    })
    const messages = found.map((each) => each.message)
    t.equal(new Set(messages).size, messages.length, 'each finding is listed once')
    const finding = found.find(
      (each) => each.check === check && each.operation === operation && message.test(each.message)
    )
    t.ok(finding, JSON.stringify(messages))
    if (finding === undefined) return
    t.ok(finding.message.startsWith(`${operation} `), finding.message)
    t.equal(await replay(finding.curl), finding.response?.status ?? null, finding.curl)
  })
}

for (const [name, compiled, server] of [
  ['hostel', hostel, () => frontedServer(hostel, {})],
  ['shop', { ...shop, ...credentials }, shopServer]
] as const)
  t.test(`a correct ${name} has no finding`, async (t) => {
    const { url, close } = await listening(await server())
    t.teardown(close)
    const { report, locked, unchecked } = await checkConformance({ ...compiled, url, requests: 20 })
    t.strictSame(
      report.findings.map(({ message, curl }) => [message, curl]),
      []
    )
    t.strictSame([locked, unchecked], [[], []])
  })

const shell = async (line: string) =>
  (await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, TOKEN: token } })).stdout

t.test('curl itself gets the answer of the finding, where it is installed', async (t) => {
  const row = shopDefects.find(([defect]) => defect === 'a kind may be anything') as Defect
  const [finding] = await findings(t, row, { requests: 0 })
  const line = String(finding?.curl)
  t.match(line, /^curl /)
  const isInstalled = (await shell('command -v curl || true')) !== ''
  t.match(isInstalled ? await shell(line) : `HTTP/1.1 ${await replay(line)} `, /^HTTP\/1\.1 201 /)
})
