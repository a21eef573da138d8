/** `npm run mutations`: takes each guarantee away in a copy of the tree, and expects the tests that hold it to fail. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Mutation, mutations } from './mutations/guarantees.ts'

const project = resolve(import.meta.dirname, '..')
const copied = ['src', 'generated', 'test', 'scripts', 'openapi.yaml', 'package.json', 'tsconfig.json']
/** Milliseconds after which a test run counts as failed. */
const patience = 120_000

const wanted = process.argv.slice(2)
const chosen = mutations.filter(
  ({ guarantee }) => wanted.length === 0 || wanted.some((word) => guarantee.includes(word))
)
const tree = mkdtempSync(join(tmpdir(), 'mutations-'))
try {
  for (const name of copied) cpSync(join(project, name), join(tree, name), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(tree, 'node_modules'))
  const tests = [...new Set(chosen.map(({ test }) => test))]
  const broken = tests.filter((test) => !passes(test))
  if (broken.length > 0) throw new Error(`these fail without any mutation: ${broken.join(', ')}`)
  const survivors = chosen.filter((mutation) => !isCaught(mutation))
  console.log(`\n${chosen.length - survivors.length} of ${chosen.length} guarantees are held by a test`)
  process.exitCode = survivors.length === 0 ? 0 : 1
} finally {
  rmSync(tree, { recursive: true, force: true })
}

function isCaught({ guarantee, file, search, replacement, test }: Mutation): boolean {
  const path = join(tree, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(search).length !== 2) throw new Error(`${guarantee}: ${file} does not have ${search} once`)
  writeFileSync(
    path,
    text.replace(search, () => replacement)
  )
  const started = performance.now()
  const caught = !passes(test)
  writeFileSync(path, text)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${caught ? 'caught  ' : 'SURVIVED'}  ${guarantee.padEnd(48)}  ${test}  ${seconds} s`)
  return caught
}

function passes(test: string): boolean {
  const { status } = spawnSync(process.execPath, [join('test', test)], {
    cwd: tree,
    stdio: 'ignore',
    timeout: patience,
    killSignal: 'SIGKILL'
  })
  return status === 0
}
