import { execFileSync } from 'node:child_process'
import { test } from 'tap'
import { quote, quoteWithVariables, shellWord } from '../../src/cli/shell.ts'

/** Returns the arguments that a POSIX shell makes of a text. */
const shell = (text: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8', env: { TOKEN: 'a b$c' } })
    .split('\0')
    .slice(0, -1)

const texts = [
  '',
  'word',
  'two words',
  "it's",
  '$TOKEN',
  '`id`',
  '$(id)',
  '"',
  '\\',
  '!!',
  '*',
  'a;b',
  '#a',
  '~',
  'ä\n'
]

test('a shell reads a quoted text as it is', async (t) => {
  for (const text of texts) {
    t.strictSame(shell(quote(text)), [text], `quote ${text}`)
    t.strictSame(shell(shellWord(text)), [text], `shellWord ${text}`)
    t.strictSame(
      shell(quoteWithVariables(`a=${text}&b=`, '$TOKEN', `&c=${text}`)),
      [`a=${text}&b=a b$c&c=${text}`],
      text
    )
  }
})

test('a text without a meaning for the shell stays readable', async (t) => {
  t.equal(shellWord('src/a-b_c.ts'), 'src/a-b_c.ts')
  t.equal(quoteWithVariables('Authorization: Bearer ', '$TOKEN'), '"Authorization: Bearer $TOKEN"')
})
