import { test } from 'tap'
import { Unexpected } from '../../../src/service/config/parse.ts'
import { read } from '../../../src/service/config/read.ts'

const refuse = (text: string): string => {
  if (text === 'fine') return text
  throw new Unexpected('something fine')
}

const variable = { name: 'X', default: 'fine', meaning: '', parse: refuse }

const cases: readonly { given: string; told: string }[] = [
  { given: 'bad', told: 'X is "bad"; expected something fine' },
  { given: 'https://user:password@host', told: 'X is "https://…"; expected something fine' },
  { given: 'user:password@host', told: 'X is "…"; expected something fine' },
  { given: '/\n?password', told: 'X is "…"; expected something fine' },
  { given: 'x'.repeat(101), told: `X is "${'x'.repeat(100)}…"; expected something fine` }
]

test('a wrong value is told without what it may hold of a password, and the default stands in', async (t) => {
  for (const { given, told } of cases) {
    const problems: string[] = []
    t.equal(
      read(variable, {
        environment: { X: given },
        defaults: {},
        report: (problem) => problems.push(problem)
      }),
      'fine'
    )
    t.strictSame(problems, [told])
  }
})

test('a mistake in a parser is not passed off as a mistake of the user', async (t) => {
  const parse = () => JSON.parse('{')
  t.throws(
    () => read({ ...variable, parse }, { environment: {}, defaults: {}, report: () => {} }),
    SyntaxError
  )
})

test('a default of the product replaces that of the table', async (t) => {
  const parse = (text: string) => text
  const source = { environment: {}, defaults: { X: 'other' }, report: t.fail }
  t.equal(read({ ...variable, parse }, source), 'other')
})
