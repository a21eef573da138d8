/** `node bench/contracts.ts`: the cost of generating, booting and serving contracts of 10 to 3,000 operations. */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, Mistake } from '@contract-first/cli/command'
import { largeContract } from '../test/contracts/large-contract.ts'

const usage = `usage: node bench/contracts.ts [FILE]

  Generates, boots and serves the contract in FILE, in JSON; without it, made ones of 10 to 3,000 operations. Each figure is
  of a process of its own.`

const sizes = [10, 100, 1_000, 3_000]
const step = join(import.meta.dirname, 'contract-step.ts')

type Measured = Readonly<Record<string, unknown>>

await command({ usage, words: true }, async ({ words: [file] }) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-contracts-'))
  try {
    const { boot } = await run(['boot', ''])
    for (const contract of file === undefined ? made() : [await readFile(file, 'utf8')])
      console.log(JSON.stringify(await measure(contract, folder, Number(boot))))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

function* made(): Generator<string> {
  for (const operations of sizes) yield JSON.stringify(largeContract({ operations }))
}

/** @param emptyBoot boot time of an empty server, in ms */
async function measure(contract: string, folder: string, emptyBoot: number): Promise<Measured> {
  const out = await mkdtemp(join(folder, 'contract-'))
  const file = join(folder, 'openapi.json')
  await writeFile(file, contract)
  const generated = await run(['generate', file, out])
  const booted = await run(['boot', out])
  return {
    ...generated,
    'generated/ KB': await fileSizes(out),
    'boot, ms of CPU': booted['bootCpu'],
    'boot beyond an empty server, ms': Math.round(Number(booted['boot']) - emptyBoot),
    'first request, ms': booted['first'],
    'first request, ms of CPU': booted['firstCpu'],
    'median request, µs': booted['median']
  }
}

async function fileSizes(folder: string): Promise<Record<string, number>> {
  const files = await readdir(folder)
  const found = await Promise.all(
    files.map(async (file) => [file, Math.round((await stat(join(folder, file))).size / 1000)] as const)
  )
  return Object.fromEntries(found)
}

async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, ['--max-old-space-size=4096', step, ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  if (text === '')
    throw new Mistake([`the contract could not be ${args[0] === 'boot' ? 'booted' : 'generated'}`])
  return JSON.parse(text) as Record<string, unknown>
}
