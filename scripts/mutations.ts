/** `npm run mutations`: takes each guarantee away in a copy of the tree, and expects the tests that hold it to fail. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { mutations } from '../test/mutations/guarantees.ts'
import type { Mutation } from '../test/mutations/mutation.ts'
import { command, Mistake, toOutput } from './cli/command.ts'

const usage = `usage: npm run mutations [-- WORD…]

  Takes each guarantee away, in a copy of the tree, and expects the test that holds it to fail.
  With words: only the guarantees whose name has one of them.`

const project = resolve(import.meta.dirname, '..')
const copied = ['src', 'generated', 'test', 'scripts', 'openapi.yaml', 'package.json', 'tsconfig.json']
/** Milliseconds after which a test run counts as failed. */
const patience = 120_000
const width = Math.max(...mutations.map(({ guarantee }) => guarantee.length))

await command({ usage, words: true }, ({ words }) => {
  const chosen = chosenBy(words)
  const tree = mkdtempSync(join(tmpdir(), 'mutations-'))
  try {
    copyInto(tree)
    const tests = [...new Set(chosen.map(({ test }) => test))]
    const broken = tests.filter((test) => !passes(tree, test))
    if (broken.length > 0) throw new Mistake([`these fail without any mutation: ${broken.join(', ')}`])
    const survivors = chosen.filter((mutation) => !isCaught(tree, mutation))
    const held = `${chosen.length - survivors.length} of ${chosen.length} guarantees are held by a test`
    console.log(`\n${toOutput('bold', held)}`)
    if (survivors.length === 0) return
    console.log('Next: let the test beside each SURVIVED fail when its guarantee is lost')
    process.exitCode = 1
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
})

function chosenBy(words: readonly string[]): readonly Mutation[] {
  const unknown = words.filter((word) => !mutations.some(({ guarantee }) => guarantee.includes(word)))
  if (unknown.length > 0)
    throw new Mistake(
      unknown.map((word) => `no guarantee has "${word}" in its name; they are in scripts/mutations/`),
      { exitCode: 2 }
    )
  if (words.length === 0) return mutations
  return mutations.filter(({ guarantee }) => words.some((word) => guarantee.includes(word)))
}

function copyInto(tree: string): void {
  for (const name of copied) cpSync(join(project, name), join(tree, name), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(tree, 'node_modules'))
}

function isCaught(tree: string, { guarantee, file, search, replacement, test }: Mutation): boolean {
  const path = join(tree, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(search).length !== 2) throw new Error(`${guarantee}: ${file} does not have ${search} once`)
  writeFileSync(
    path,
    text.replace(search, () => replacement)
  )
  const started = performance.now()
  const caught = !passes(tree, test)
  writeFileSync(path, text)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const word = caught ? toOutput('green', 'caught  ') : toOutput('red', 'SURVIVED')
  console.log(`  ${word}  ${guarantee.padEnd(width)}  ${test}  ${toOutput('dim', `${seconds} s`)}`)
  return caught
}

function passes(tree: string, test: string): boolean {
  const { status } = spawnSync(process.execPath, [join('test', test)], {
    cwd: tree,
    stdio: 'ignore',
    timeout: patience,
    killSignal: 'SIGKILL'
  })
  return status === 0
}
