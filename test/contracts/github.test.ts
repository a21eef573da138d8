/** A contract of 1,200 operations: GitHub's REST description (npm @octokit/openapi) is compiled and served. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { compileContract } from '../../src/contract/compile/compile.ts'
import { writeFiles } from '../../src/contract/compile/emit/write.ts'
import type { Contract } from '../../src/contract/model/compiled-contract.ts'
import { serve } from './drive.ts'

const source = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json')

// Twenty seconds on an idle machine.
t.setTimeout(115_000)
t.test('GitHub', { timeout: 110_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'github-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const compiled = await compileContract(source, folder)
  t.ok(compiled.operations.length > 1000, `${compiled.operations.length} operations`)
  const size = [...compiled.files]
    .filter(([name]) => name.endsWith('.js'))
    .reduce((sum, [, text]) => sum + text.length, 0)
  t.ok(size < 20_000_000, 'the code shares what its operations share', { size })
  await writeFiles(compiled.files, folder)
  const { default: contract } = (await import(pathToFileURL(join(folder, 'contract.ts')).href)) as {
    default: Contract
  }
  const { exchange } = await serve(t, contract)

  const user = {
    send: 'GET /gists/%61a11?x=1',
    answer: { status: 404, body: { message: 'none', extra: 1 } },
    want: 404
  }
  const found = await exchange(user)
  t.match(found, { status: 404, seen: { operation: 'gists/get', params: { gist_id: 'aa11' } } })
  t.strictSame(JSON.parse(found.body), { message: 'none' }, 'what is not declared is not sent')
  const page = await exchange({ send: 'GET /events?per_page=many', want: 400 })
  t.match(page, { status: 400, body: 'query/per_page must be integer' })
  const label = { send: 'POST /repos/o/r/labels', body: { name: 1 }, want: 400 }
  t.match(await exchange(label), { status: 400, body: 'body/name must be string' })
  t.match(await exchange({ send: 'GET /nowhere', want: 404 }), { status: 404 })
  t.match(await exchange({ send: 'TRACE /gists', want: 405 }), { headers: { allow: 'GET, HEAD, POST' } })
})
