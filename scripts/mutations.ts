/** `npm run mutations`: removes each guarantee in a copy of the tree, and expects the test that holds it to fail. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { command, Mistake, toOutput } from '@contract-first/cli/command'
import type { CommandLine } from '@contract-first/cli/command-line'
import { mutations, tenthOf } from '../test/mutations/guarantees.ts'
import type { Mutation } from '../test/mutations/mutation.ts'
import { inTreeCopy } from './cli/tree-copy.ts'
import { installPackagesFor } from './test/install-packages.ts'

const usage = `usage: npm run mutations [-- WORD… | --tenth | --part N]

  Removes each guarantee, in a copy of the tree, and expects the test that holds it to fail.
  With words: only the guarantees whose name has one of them.`
const options = {
  '--tenth': 'only a tenth of them, another one at every commit',
  '--part N': 'only that tenth, from 0 to 9'
}

const project = resolve(import.meta.dirname, '..')
const fasterTap = import.meta.resolve('./test/faster-tap.ts')
const compileCache = 'node_modules/.cache/compile'
/** Factor of a test's time without a mutation, after which it counts as failed: a mutation may make it endless. */
const maxSlowdown = 4
/** Time that is added, because a short test may be slow beside other work. */
const minTimeoutMs = 30_000
/** Time-out of a test without a mutation. */
const maxTimeoutMs = 600_000
/** Number of copies of the tree, each of which has one mutation at a time. */
const jobs = 2
const width = Math.max(...mutations.map(({ guarantee }) => guarantee.length))

await command({ usage, options, words: true }, async (line) => {
  const chosen = chosenBy(line)
  await installPackagesFor(chosen.map(({ test }) => join('test', test)))
  const timeouts = await timeoutsOf(new Set(chosen.map(({ test }) => test)))
  let caught = 0
  await inTrees(chosen, async (tree, mutation) => {
    if (await isCaught(tree, mutation, timeouts.get(mutation.test))) caught++
  })
  report(chosen, chosen.length - caught)
})

/** Calls the function with each item and a copy of the tree, which no other call has at the same time. */
async function inTrees<T>(items: Iterable<T>, use: (tree: string, item: T) => Promise<void>): Promise<void> {
  const queue = Iterator.from(items)
  const work = async (tree: string) => {
    for (const item of queue) await use(tree, item)
  }
  await Promise.all(Array.from({ length: jobs }, () => inTreeCopy(work)))
}

function chosenBy(line: CommandLine): readonly Mutation[] {
  const { words } = line
  const unknown = words.filter((word) => !mutations.some(({ guarantee }) => guarantee.includes(word)))
  if (unknown.length > 0)
    throw new Mistake(
      unknown.map((word) => `no guarantee has "${word}" in its name; they are in test/mutations/`),
      { exitCode: 2 }
    )
  const named = mutations.filter(
    ({ guarantee }) => words.length === 0 || words.some((word) => guarantee.includes(word))
  )
  const part = partOf(line)
  return part === undefined ? named : tenthOf(named, part)
}

/** Returns the number of the tenth, and prints it; undefined for all guarantees. */
function partOf({ is, value }: CommandLine): number | undefined {
  const given = value('part')
  if (given !== undefined && !/^\d$/.test(given))
    throw new Mistake([`--part is a digit, not ${given}`], { exitCode: 2 })
  if (given === undefined && !is('tenth')) return undefined
  const part = Number(given ?? commits() % 10)
  console.log(`tenth ${part} of 0 to 9: npm run mutations -- --part ${part}\n`)
  return part
}

function commits(): number {
  return Number(spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: project, encoding: 'utf8' }).stdout)
}

/**
 * Runs the tests without a mutation, and returns their time-outs.
 * @throws {Mistake} when one fails twice; a stall of the machine fails a test once
 */
async function timeoutsOf(tests: ReadonlySet<string>): Promise<Map<string, number>> {
  const failing: string[] = []
  const timeouts = new Map<string, number>()
  await inTrees(tests, async (tree, test) => {
    const started = performance.now()
    const isPassed = (await passes(tree, test, maxTimeoutMs)) || (await passes(tree, test, maxTimeoutMs))
    if (!isPassed) failing.push(test)
    timeouts.set(test, minTimeoutMs + maxSlowdown * Math.ceil(performance.now() - started))
  })
  if (failing.length > 0) throw new Mistake([`these fail without any mutation: ${failing.join(', ')}`])
  return timeouts
}

async function isCaught(tree: string, mutation: Mutation, timeout = maxTimeoutMs): Promise<boolean> {
  const { guarantee, file, search, replacement, test } = mutation
  const path = join(tree, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(search).length !== 2) throw new Error(`${guarantee}: ${file} does not have ${search} once`)
  writeFileSync(
    path,
    text.replace(search, () => replacement)
  )
  const started = performance.now()
  const caught = !(await passes(tree, test, timeout))
  writeFileSync(path, text)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const word = caught ? toOutput('green', 'caught  ') : toOutput('red', 'SURVIVED')
  console.log(`  ${word}  ${guarantee.padEnd(width)}  ${test}  ${toOutput('dim', `${seconds} s`)}`)
  return caught
}

async function passes(tree: string, test: string, timeout: number): Promise<boolean> {
  const child = spawn(process.execPath, ['--import', fasterTap, join('test', test)], {
    cwd: tree,
    // Stops at the first failure. Disables the time-out of tap, which is meant for a machine without other work.
    env: { ...process.env, TAP_BAIL: '1', TAP_TIMEOUT: '0', NODE_COMPILE_CACHE: join(tree, compileCache) },
    stdio: 'ignore',
    timeout,
    killSignal: 'SIGKILL'
  })
  const [status] = await once(child, 'exit')
  return status === 0
}

function report(chosen: readonly Mutation[], survivors: number): void {
  const held = `${chosen.length - survivors} of ${chosen.length} guarantees are held by a test`
  console.log(`\n${toOutput('bold', held)}`)
  if (survivors === 0) return
  console.log('Next: let the test beside each SURVIVED fail when its guarantee is lost')
  process.exitCode = 1
}
