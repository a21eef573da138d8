import { resolve } from 'node:path'
import t from 'tap'
import type { Options } from '../../../../src/compiler/command/generate/run.ts'
import { grammar, readOptions } from '../../../../src/compiler/command/generate.ts'
import { commandOutcome } from '../../../cli/command-outcome.ts'

const read = (args: readonly string[]): Partial<Options> & object =>
  commandOutcome(args, grammar, readOptions)

const expected = /; expected --contract, --root, --out, --check, --watch, --strict, --stubs, --help$/

for (const [args, problem] of [
  [['--contracts', 'x'], '--contracts is not an option'],
  [['openapi.yaml'], 'openapi.yaml is not an option'],
  [['--contract'], '--contract needs a value'],
  [['--out='], '--out needs a value'],
  [['--check=yes'], '--check takes no value'],
  [['--check', '--watch'], '--check and --watch cannot be combined'],
  [['--stubs', '--out', 'elsewhere'], '--stubs is for the contract that this service serves, and no other']
] as const) {
  t.test(`${args.join(' ')} is a usage error`, async (t) => {
    const refused = read(args)
    t.match(refused, { exitCode: 2, text: expected })
    t.match(refused, { text: `${problem}; ` })
  })
}

t.test('--help prints every option', async (t) => {
  t.match(read(['--help']), {
    exitCode: 0,
    text: /^usage: .*--contract.*--out.*--check.*--watch.*--stubs/s
  })
})

t.test('without options the own contract is compiled', async (t) => {
  t.strictSame(read([]), {
    root: process.cwd(),
    check: false,
    watch: false,
    stubs: false,
    strict: true,
    contract: resolve('openapi.yaml'),
    out: resolve('generated'),
    handlers: resolve('src/plants')
  })
})

t.test('another contract or folder is not the own contract', async (t) => {
  t.match(read(['--contract', 'other.yaml']), { contract: resolve('other.yaml'), handlers: undefined })
  t.match(read(['--out', 'other', '--check']), { out: resolve('other'), check: true, handlers: undefined })
})

t.test('warnings refuse the own contract, and any other with --strict', async (t) => {
  const strictness = (...args: string[]) => {
    const { strict } = read(args)
    return strict
  }
  t.equal(strictness(), true)
  t.equal(strictness('--check', '--out', 'elsewhere'), true)
  t.equal(strictness('--contract', 'other.yaml'), false)
  t.equal(strictness('--contract', 'other.yaml', '--strict'), true)
})
