import { test } from 'tap'
import { digestLine, digestOf } from '../../../src/service/credentials/digest.ts'
import { parseTokenFile, readTokenFile } from '../../../src/service/credentials/token-file.ts'

const [alice, bob] = [digestOf('alice'), digestOf('bob')]
const expected = 'expected a token (RFC 6750, section 2.1) or sha256:<64 hex>'

const cases: readonly { file: string; text: string; want: unknown }[] = [
  { file: 'empty', text: '', want: { problems: ['the file holds no token'] } },
  { file: 'comments only', text: '# none\n\n  # yet', want: { problems: ['the file holds no token'] } },
  { file: 'plain tokens', text: 'alice\nbob\n', want: { digests: [alice, bob] } },
  { file: 'digests', text: `${digestLine('alice')} # Alice\n`, want: { digests: [alice] } },
  { file: 'capitals', text: `${digestLine('bob').toUpperCase()}`, want: { digests: [bob] } },
  { file: 'Windows', text: '\ufeff# tokens\r\nalice\r\n', want: { digests: [alice] } },
  { file: 'half a digest', text: 'alice\nsha256:abc', want: { problems: [`line 2: ${expected}`] } },
  {
    file: 'all wrong',
    text: 'two words\nsécret',
    want: { problems: [`line 1: ${expected}`, `line 2: ${expected}`] }
  }
]

test('a token file is its digests, or all its problems by line', async (t) => {
  for (const { file, text, want } of cases) t.strictSame(parseTokenFile(text), want, file)
})

test('at most five problems are listed, then their number', async (t) => {
  t.match(parseTokenFile('no token\n'.repeat(100)), { problems: { length: 6, 5: /95/ } })
  t.match(parseTokenFile('no token\n'.repeat(6)), { problems: { length: 6, 5: /^line 6:/ } })
})

test('the file is read from its path', async (t) => {
  const folder = t.testdir({ tokens: 'alice\n' })
  t.strictSame(await readTokenFile(`${folder}/tokens`), { digests: [alice] })
})

test('a file that is not there is a problem', async (t) => {
  t.match(await readTokenFile(`${t.testdir({})}/tokens`), { problems: [/^ENOENT/] })
})
