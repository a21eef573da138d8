import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'tap'
import { digestLine, parseTokenFile } from '../../src/service/credentials/tokens.ts'

test('npm run token prints a token and the line to store', async (t) => {
  const printed = execFileSync(process.execPath, ['scripts/token.ts'], { encoding: 'utf8' })
  const [, token = '', line] =
    /^ {2}token {3}(\S+) .*once.*\n {2}digest {2}(\S+)\n\nNext: /.exec(printed) ?? []
  t.match(token, /^plant_/)
  t.equal(line, digestLine(token))
})

test('npm run token prints the scopes behind the digest', async (t) => {
  const print = (...args: readonly string[]) =>
    execFileSync(process.execPath, ['scripts/token.ts', ...args], { encoding: 'utf8' })
  const printed = print('--scope', 'plants:write', '--scope=plants:read', '--scope', 'plants:write')
  const [, token = '', line = ''] = /token {3}(\S+) .*\n {2}digest {2}([^\n]+)\n/.exec(printed) ?? []
  t.equal(line, `${digestLine(token)} plants:write plants:read`)
  const read = parseTokenFile(`${line}\n`)
  t.match(read, [{ scopes: ['plants:write', 'plants:read'] }])
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

test('npm run token says which process to signal, also when npm started the service', async (t) => {
  const printed = execFileSync(process.execPath, ['scripts/token.ts'], { encoding: 'utf8' })
  t.match(printed, /kill -HUP the pid in the line "started"/)
  t.match(printed, /npm/)
})
