/** Servers with one defect each: the right check finds it on the right operation, and the `curl` line shows it again. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { checks } from '../../../src/compiler/conformance.ts'
import { defects } from './defects.ts'
import { type Front, token } from './fronts.ts'
import { findings, replay, runDefects } from './run-defects.ts'

t.setTimeout(900_000)
runDefects(t, 'shop', 'hostel')

t.test('docs/conformance.md lists the checks, and a defect shows each', async (t) => {
  const page = readFileSync('docs/conformance.md', 'utf8')
  const [, table = ''] = /\| check \| finds \|\n\|---\|---\|\n(.*?)\n\n/s.exec(page) ?? []
  t.strictSame(
    [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name),
    [...checks]
  )
  const shown = Object.keys(defects['shop'] ?? {}).map((name) => name.split(' ')[0])
  t.strictSame([...new Set(shown)].sort(), [...checks].sort())
})

const shell = async (line: string) =>
  (await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, TOKEN: token } })).stdout

t.test('curl itself gets the answer of the finding, where it is installed', async (t) => {
  const front = defects['shop']?.['invalid-request-accepted POST /items']?.[
    'a kind may be anything → body/kind must be one of'
  ] as Front
  const [finding] = await findings(t, 'shop', 'POST /items', front, { requests: 0 })
  const line = String(finding?.curl)
  t.match(line, /^curl /)
  const isInstalled = (await shell('command -v curl || true')) !== ''
  t.match(isInstalled ? await shell(line) : `HTTP/1.1 ${await replay(line)} `, /^HTTP\/1\.1 201 /)
})
