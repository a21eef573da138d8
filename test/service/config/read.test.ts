import { test } from 'tap'
import { read } from '../../../src/service/config/config.ts'
import { Unexpected } from '../../../src/service/config/parse.ts'

const refuse = (text: string): string => {
  if (text === 'fine') return text
  throw new Unexpected('something fine')
}

const variable = { name: 'X', default: 'fine', meaning: '', parse: refuse }

const cases: readonly { given: string; problem: string }[] = [
  { given: 'bad', problem: 'X is "bad"; expected something fine' },
  { given: 'https://user:password@host', problem: 'X is "https://…"; expected something fine' },
  { given: 'user:password@host', problem: 'X is "…"; expected something fine' },
  { given: '/\n?password', problem: 'X is "…"; expected something fine' },
  { given: 'x'.repeat(101), problem: `X is "${'x'.repeat(100)}…"; expected something fine` }
]

test('a wrong value is reported without a password that it may hold, and the default is returned', async (t) => {
  for (const { given, problem } of cases) {
    const problems: string[] = []
    t.equal(
      read(variable, {
        environment: { X: given },
        project: {},
        report: (text) => problems.push(text)
      }),
      'fine'
    )
    t.strictSame(problems, [problem])
  }
})

test('an error inside a parser is thrown, not reported', async (t) => {
  const parse = () => JSON.parse('{')
  t.throws(
    () => read({ ...variable, parse }, { environment: {}, project: {}, report: () => {} }),
    SyntaxError
  )
})

test('a default of the product replaces that of the table', async (t) => {
  const parse = (text: string) => text
  const source = { environment: {}, project: { defaults: { X: 'other' } }, report: t.fail }
  t.equal(read({ ...variable, parse }, source), 'other')
})
