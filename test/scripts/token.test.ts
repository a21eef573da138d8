import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'tap'
import { digestLine, parseTokenFile } from '../../src/service/credentials/tokens.ts'

const print = (...args: readonly string[]) =>
  execFileSync(process.execPath, ['scripts/token.ts', ...args], { encoding: 'utf8' })

test('npm run token prints a token, the line to store, and which process to signal', async (t) => {
  const printed = print()
  const [, token = '', line] =
    /^ {2}token {3}(\S+) .*once.*\n {2}digest {2}(\S+)\n\nNext: /.exec(printed) ?? []
  t.match(token, /^plant_/)
  t.equal(line, digestLine(token))
  for (const part of ['kill -HUP the pid in the line "started"', 'npm']) t.match(printed, part)
})

test('npm run token prints the scopes behind the digest', async (t) => {
  const printed = print('--scope', 'plants:write', '--scope=plants:read', '--scope', 'plants:write')
  const [, token = '', line = ''] = /token {3}(\S+) .*\n {2}digest {2}([^\n]+)\n/.exec(printed) ?? []
  t.equal(line, `${digestLine(token)} plants:write plants:read`)
  t.match(parseTokenFile(`${line}\n`), [{ scopes: ['plants:write', 'plants:read'] }])
})

test('npm run token refuses what is no scope', async (t) => {
  for (const scope of ['a b', 'a"b', 'ä', 'a\nb', '#a']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/token.ts', '--scope', scope], {
      encoding: 'utf8'
    })
    t.strictSame([status, stdout], [2, ''], scope)
    t.match(stderr, /^--scope is "[^\n]*"; expected one scope/, scope)
  }
})
