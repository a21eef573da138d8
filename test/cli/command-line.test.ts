/** The command line after `npm run NAME --`: accepted and refused arguments. */
import t from 'tap'
import { type Grammar, readCommandLine, refuse } from '../../src/cli/command-line.ts'
import { commandOutcome } from './command-outcome.ts'

const grammar: Grammar = {
  usage: 'usage: x',
  options: { BASE: 'a word', '--out DIR': 'where', '--check': 'compare', "--header 'N: v'": 'several' },
  notes: 'That is all.',
  words: ['sqlite', 'boot']
}
const help = `usage: x

  BASE             a word
  --out DIR        where
  --check          compare
  --header 'N: v'  several

  That is all.`

const understood: readonly { args: string[]; check?: boolean; out?: string; words?: string[] }[] = [
  { args: [] },
  { args: ['--check'], check: true },
  { args: ['--out', 'a'], out: 'a' },
  { args: ['--out=a', 'boot', '--check'], check: true, out: 'a', words: ['boot'] }
]
for (const { args, check = false, out, words = [] } of understood) {
  t.test(`accepts "${args.join(' ')}"`, async (t) => {
    const line = readCommandLine(args, grammar)
    t.strictSame([line.is('check'), line.value('out'), line.words], [check, out, words])
  })
}

const refusedOrHelp: readonly {
  args: string[]
  grammar?: Grammar
  exitCode: 0 | 2
  text: RegExp | string
}[] = [
  { args: ['--help'], exitCode: 0, text: help },
  { args: ['--help'], grammar: { usage: 'usage: x' }, exitCode: 0, text: 'usage: x' },
  {
    args: ['--nope'],
    exitCode: 2,
    text: /^--nope .*; expected sqlite, boot, --out, --check, --header, --help$/
  },
  { args: ['nope', '--help'], exitCode: 2, text: /^nope / },
  { args: ['--check=yes'], exitCode: 2, text: /^--check takes no value/ },
  { args: ['--out'], exitCode: 2, text: /^--out needs a value/ },
  { args: ['--out='], exitCode: 2, text: /^--out needs a value/ },
  { args: ['word'], grammar: { usage: '' }, exitCode: 2, text: /^word .*; expected --help$/ }
]
for (const { args, grammar: given = grammar, ...want } of refusedOrHelp)
  t.match(commandOutcome(args, given), want, `ends with "${args.join(' ')}"`)

t.test('an option that is given twice has its last value, and a list of all', (t) => {
  const line = readCommandLine(['--header', 'a: b', '--header=c: d'], grammar)
  t.equal(line.value('header'), 'c: d')
  t.strictSame(line.all('header'), ['a: b', 'c: d'])
  t.strictSame(line.all('out'), [])
  t.end()
})

t.test('any words are accepted, and so are those after two dashes', async (t) => {
  const line = readCommandLine(['--', '--a', 'b'], { usage: '', words: true })
  t.match(line, { words: ['--a', 'b'] })
  t.throws(() => refuse('no', { usage: '', words: true }), { exitCode: 2, message: 'no; expected --help' })
})
