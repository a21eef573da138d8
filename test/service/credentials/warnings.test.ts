import { test } from 'tap'
import {
  credentialWarnings,
  parseTokenFile,
  type TokenFile
} from '../../../src/service/credentials/token-file.ts'

const long = 'x'.repeat(16)

function fileOf(text: string, isReadableByAll = false): TokenFile {
  const parsed = parseTokenFile(text)
  if ('problems' in parsed) throw new Error(parsed.problems.join('\n'))
  return { ...parsed, isReadableByAll }
}

test('a short token is a warning that names its place and not its text', async (t) => {
  const warnings = credentialWarnings([long, 'hunter2'], fileOf(`${long}\nhunter2 # old\n\n`))
  t.match(warnings, [
    /^AUTH_TOKENS: token 2 of 2 has fewer than 16/,
    /^AUTH_TOKENS_FILE: the token in line 2 /
  ])
  t.equal(warnings.length, 2)
  t.notMatch(warnings.join(), 'hunter2')
})

test('a token file that every user can read is a warning', async (t) => {
  t.match(credentialWarnings([], fileOf(`${long}\n`, true)), [/every user of this machine can read it/])
  t.strictSame(credentialWarnings([], fileOf(`${long}\n`)), [])
  t.strictSame(credentialWarnings([], undefined), [])
})
