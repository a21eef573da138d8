import t from 'tap'
import { commentText } from '../../../src/compiler/source/values.ts'

t.test('a comment has one line, and nothing in it ends it', async (t) => {
  const rows = [
    ['a */ process.exit(1) /*\n b\u0000', 'a *\\/ process.exit(1) /* b'],
    ['a\r\nb\u2028c\u2029d\u0085e\u001b[2J\tf\v\f', 'a b c d e [2J f'],
    ['**/', '**\\/'],
    ['*\u0000/', '* /'],
    ['\u202etxt.\u2066 \ud800', '\ufffdtxt.\ufffd \ufffd'],
    ['Ringelblume 👩\u200d🌾', 'Ringelblume 👩\u200d🌾']
  ] as const
  for (const [text, want] of rows) t.equal(commentText(text), want)
})
