import { createHash } from 'node:crypto'
import t from 'tap'
import { readConfig } from '../../../src/service/config/config.ts'
import { summaryOf } from '../../../src/service/run.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function summary(digests: readonly string[], tokens = true) {
  const read = readConfig({ AUTH_TOKENS: 'secret' }, { tokens })
  if ('problems' in read) throw new Error(read.problems.join())
  const contract = {
    title: 'Things',
    version: '1',
    sources: digests.map((sha256) => ({ path: 'x', sha256 }))
  }
  const auth = { tokens: () => ['sha256:00'] }
  return summaryOf(contract as never, read.config, auth as never, undefined)
}

t.test('the digest of a contract of one file is that of the file', async (t) => {
  t.match(summary(['a']), { contract: { title: 'Things', version: '1', sha256: 'a' } })
})

t.test('the digest of several files is that of their digests', async (t) => {
  t.match(summary(['a', 'b']), { contract: { sha256: sha256('a,b') } })
})

t.test('no secret is in it', async (t) => {
  t.notMatch(JSON.stringify(summary(['a'])), 'secret')
  t.match(summary(['a']), { credentials: { tokens: 1, fromEnvironment: 1 } })
})

t.test('a project without tokens has no credentials in it', async (t) => {
  t.equal(Object(summary(['a'], false)).credentials, undefined)
})
