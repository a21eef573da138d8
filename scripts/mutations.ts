/** `npm run mutations`: removes each guarantee in a copy of the tree, and expects the test that holds it to fail. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { command, Mistake, toOutput } from '@contract-first/service/command/command'
import type { CommandLine } from '@contract-first/service/command/command-line'
import { linkPackages } from '../test/link-packages.ts'
import { mutations } from '../test/mutations/guarantees.ts'
import type { Mutation } from '../test/mutations/mutation.ts'

const usage = `usage: npm run mutations [-- WORD… | --tenth]

  Removes each guarantee, in a copy of the tree, and expects the test that holds it to fail.
  With words: only the guarantees whose name has one of them.

  --tenth          only a tenth of them, another one every day`

const project = resolve(import.meta.dirname, '..')
/** Packages, which are linked, and the output of tests and commands. */
const notCopied = new Set(['.git', '.tap', 'coverage', 'data', 'node_modules', 'packages', 'test-results'])
/** Factor of a test's time without a mutation, after which it counts as failed: a mutation may make it endless. */
const maxSlowdown = 4
/** Time that is added, because a short test may be slow beside other work. */
const minTimeoutMs = 30_000
/** Time-out of a test without a mutation. */
const maxTimeoutMs = 600_000
const dayMs = 86_400_000
const width = Math.max(...mutations.map(({ guarantee }) => guarantee.length))

await command({ usage, flags: ['tenth'], words: true }, (line) => {
  const chosen = chosenBy(line)
  const tree = mkdtempSync(join(tmpdir(), 'mutations-'))
  try {
    copyInto(tree)
    const timeouts = timeoutsOf(tree, new Set(chosen.map(({ test }) => test)))
    const isCaughtInTime = (mutation: Mutation) => isCaught(tree, mutation, timeouts.get(mutation.test))
    report(chosen, chosen.filter((mutation) => !isCaughtInTime(mutation)).length)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
})

function chosenBy({ is, words }: CommandLine): readonly Mutation[] {
  const unknown = words.filter((word) => !mutations.some(({ guarantee }) => guarantee.includes(word)))
  if (unknown.length > 0)
    throw new Mistake(
      unknown.map((word) => `no guarantee has "${word}" in its name; they are in test/mutations/`),
      { exitCode: 2 }
    )
  const isNamed = ({ guarantee }: Mutation) =>
    words.length === 0 || words.some((word) => guarantee.includes(word))
  const today = Math.floor(Date.now() / dayMs) % 10
  return mutations.filter(isNamed).filter((_, index) => !is('tenth') || index % 10 === today)
}

function copyInto(tree: string): void {
  const names = readdirSync(project).filter((name) => !notCopied.has(name))
  for (const name of names) cpSync(join(project, name), join(tree, name), { recursive: true })
  // Some tests copy the files that Git lists.
  execFileSync('git', ['init', '--quiet'], { cwd: tree })
  linkPackages(tree)
}

/**
 * Runs the tests without a mutation, and returns their time-outs.
 * @throws {Mistake} when one fails
 */
function timeoutsOf(tree: string, tests: ReadonlySet<string>): Map<string, number> {
  const failing: string[] = []
  const timeouts = new Map<string, number>()
  for (const test of tests) {
    const started = performance.now()
    if (!passes(tree, test, maxTimeoutMs)) failing.push(test)
    timeouts.set(test, minTimeoutMs + maxSlowdown * Math.ceil(performance.now() - started))
  }
  if (failing.length > 0) throw new Mistake([`these fail without any mutation: ${failing.join(', ')}`])
  return timeouts
}

function isCaught(tree: string, mutation: Mutation, timeout = maxTimeoutMs): boolean {
  const { guarantee, file, search, replacement, test } = mutation
  const path = join(tree, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(search).length !== 2) throw new Error(`${guarantee}: ${file} does not have ${search} once`)
  writeFileSync(
    path,
    text.replace(search, () => replacement)
  )
  const started = performance.now()
  const caught = !passes(tree, test, timeout)
  writeFileSync(path, text)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const word = caught ? toOutput('green', 'caught  ') : toOutput('red', 'SURVIVED')
  console.log(`  ${word}  ${guarantee.padEnd(width)}  ${test}  ${toOutput('dim', `${seconds} s`)}`)
  return caught
}

function passes(tree: string, test: string, timeout: number): boolean {
  const { status } = spawnSync(process.execPath, [join('test', test)], {
    cwd: tree,
    // Stops at the first failure. Disables the time-out of tap, which is meant for a machine without other work.
    env: { ...process.env, TAP_BAIL: '1', TAP_TIMEOUT: '0' },
    stdio: 'ignore',
    timeout,
    killSignal: 'SIGKILL'
  })
  return status === 0
}

function report(chosen: readonly Mutation[], survivors: number): void {
  const held = `${chosen.length - survivors} of ${chosen.length} guarantees are held by a test`
  console.log(`\n${toOutput('bold', held)}`)
  if (survivors === 0) return
  console.log('Next: let the test beside each SURVIVED fail when its guarantee is lost')
  process.exitCode = 1
}
