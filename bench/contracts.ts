/**
 * `node bench/contracts.ts`: what generating, booting and serving cost for the first 1, 10, 100 and all operations of
 * GitHub's REST description. Each figure is of a process of its own.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Node = Record<string, unknown>
interface Description {
  readonly paths: Record<string, Node>
  readonly components: Record<string, Record<string, unknown>>
}

const source = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json')
const description = JSON.parse(await readFile(source, 'utf8')) as Description
const step = join(import.meta.dirname, 'contract-step.ts')
const folder = await mkdtemp(join(tmpdir(), 'bench-contracts-'))
try {
  const base = await run(['boot', ''])
  for (const count of [1, 10, 100, Number.POSITIVE_INFINITY]) await measure(count, Number(base['boot']))
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(count: number, emptyBoot: number): Promise<void> {
  const file = join(folder, `${count}.json`)
  const out = join(folder, String(count))
  await writeFile(file, JSON.stringify(first(count)))
  const generated = await run(['generate', file, out])
  const booted = await run(['boot', out])
  console.log(
    JSON.stringify({
      operations: generated['operations'],
      ...generated,
      'generated/ KB': await sizes(out),
      'boot beyond an empty server, ms': Math.round(Number(booted['boot']) - emptyBoot),
      'first request, ms': booted['first'],
      'median request, µs': booted['median']
    })
  )
}

async function sizes(out: string): Promise<Record<string, number>> {
  const files = await readdir(out)
  const found = await Promise.all(
    files.map(async (file) => [file, Math.round((await stat(join(out, file))).size / 1000)] as const)
  )
  return Object.fromEntries(found)
}

/** The first operations, with the components that they lead to. */
function first(count: number): object {
  const paths: Record<string, Node> = {}
  let left = count
  for (const [path, item] of Object.entries(description.paths)) {
    const methods = Object.entries(item).slice(0, Math.max(0, left))
    left -= methods.length
    if (methods.length > 0) paths[path] = Object.fromEntries(methods)
  }
  return { ...description, 'x-webhooks': {}, paths, components: reachable(paths) }
}

function reachable(paths: Record<string, Node>): object {
  const components: Record<string, Record<string, unknown>> = {}
  const pending = [JSON.stringify(paths)]
  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    for (const [, section = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)) {
      const found = description.components[section]?.[name]
      components[section] ??= {}
      if (Object.hasOwn(components[section], name)) continue
      components[section][name] = found
      pending.push(JSON.stringify(found))
    }
  }
  return components
}

async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, ['--max-old-space-size=4096', step, ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return JSON.parse(text) as Record<string, unknown>
}
