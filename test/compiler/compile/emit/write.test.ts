/** A process that is killed while it writes generated code leaves code that does not start, and that a run repairs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { generate } from '../../../../src/compiler/compile/generate.ts'
import { checkBoot } from '../../../../src/engine/server/boot-checks.ts'

t.setTimeout(900_000)

const contractOf = (maxLength: number) => `openapi: 3.1.0
info: { title: Limits, version: '1' }
paths:
  /a:
    post:
      operationId: a
      requestBody: { content: { application/json: { schema: { type: string, maxLength: ${maxLength} } } } }
      responses: { '204': { description: ok } }
`

/** Kills the process before a rename. */
const killer = `
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const { rename } = fs
let count = 0
fs.rename = (...paths) => {
  if (count++ === Number(process.env.RENAMES)) process.kill(process.pid, 'SIGKILL')
  return rename(...paths)
}
syncBuiltinESMExports()
const { generate } = await import(${JSON.stringify(join(import.meta.dirname, '../../../../src/compiler/compile/generate.ts'))})
await generate({ contract: 'openapi.yaml', out: 'generated' })
`

async function killedAfter(renames: number, folder: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', killer], {
    cwd: folder,
    env: { ...process.env, RENAMES: String(renames) },
    stdio: 'inherit'
  })
  const [, signal] = await once(child, 'exit')
  return signal
}

t.test('killed before any rename', async (t) => {
  const root = t.testdir({ first: { 'openapi.yaml': contractOf(2), 'package.json': '{ "type": "module" }' } })
  const first = join(root, 'first')
  const generated = (folder: string) =>
    generate({ contract: join(folder, 'openapi.yaml'), out: join(folder, 'generated') })
  await generated(first)
  writeFileSync(join(first, 'openapi.yaml'), contractOf(4))
  let copies = 0
  const boot = async (folder: string) => {
    const copy = join(root, `copy${copies++}`)
    cpSync(folder, copy, { recursive: true })
    const { default: contract } = await import(pathToFileURL(join(copy, 'generated/contract.ts')).href)
    await checkBoot({ contract, handlers: { a: () => undefined }, security: {} })
  }
  for (const renames of [0, 5, 9, 10]) {
    const folder = join(root, `killed${renames}`)
    cpSync(first, folder, { recursive: true })
    t.equal(await killedAfter(renames, folder), renames < 10 ? 'SIGKILL' : null, `${renames} renames`)
    if (renames === 10) await t.resolves(boot(folder))
    else await t.rejects(boot(folder), { name: 'BootError', message: /: run "npm run generate/ })
    await t.resolves(generated(folder))
    await t.resolves(boot(folder), 'repaired')
    t.strictSame(readdirSync(join(folder, 'generated')).sort(), readdirSync(join(first, 'generated')).sort())
  }
})

t.test('the folder of a process that still writes is left to it', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': contractOf(2), generated: {} })
  const out = join(folder, 'generated')
  for (const name of [`.generate-${process.pid}-a`, '.generate-1-b', '.generate-4194304999-c', '.generate-x'])
    mkdirSync(join(out, name))
  await generate({ contract: join(folder, 'openapi.yaml'), out })
  t.strictSame(
    readdirSync(out).filter((name) => name.startsWith('.')),
    ['.generate-1-b', `.generate-${process.pid}-a`]
  )
})
