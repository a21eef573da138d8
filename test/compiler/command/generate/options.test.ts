import { resolve } from 'node:path'
import t from 'tap'
import type { Options } from '../../../../src/compiler/command/generate/run.ts'
import { grammar, readOptions } from '../../../../src/compiler/command/generate.ts'
import {
  grammar as ofConformance,
  readOptions as readConformance
} from '../../../../src/tools/conformance/command/conformance.ts'
import {
  grammar as ofDiff,
  readOptions as readDiff
} from '../../../../src/tools/diff/command/contract-diff.ts'
import { grammar as ofMock, readMockOptions } from '../../../../src/tools/mock/command/mock.ts'
import { grammar as ofNew, readNewOptions } from '../../../../src/tools/new/command/new.ts'
import { commandOutcome } from '../../../cli/command-outcome.ts'

const read = (args: readonly string[]): Partial<Options> & object =>
  commandOutcome(args, grammar, readOptions)

const expected =
  /; expected --contract, --root, --out, --check, --watch, --strict, --all-warnings, --format, --stubs, --help$/

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

for (const [url, cure] of [
  [
    'https://a.example/v1/openapi.yaml',
    "save it as a file, as with curl -o openapi.yaml 'https://a.example/v1/openapi.yaml', "
  ],
  ['HTTP://a.example//x', 'save it as a file, '],
  ['s3://bucket/openapi.yaml', 'save it as a file, '],
  ['file:///x/openapi.yaml', 'write the path of the file'],
  ['FILE://x.yaml', 'write the path of the file']
] as const)
  t.test(`no command reads the URL ${url}`, async (t) => {
    const refused = (named: string) => ({
      exitCode: 2,
      text: `${named} ${url} is a URL, and only files are read: ${cure}`
    })
    for (const outcome of [
      read(['--contract', url]),
      commandOutcome(['--contract', url], ofDiff, readDiff),
      commandOutcome(['--contract', url], ofMock, readMockOptions),
      commandOutcome(['--url', 'http://a', '--contract', url], ofConformance, readConformance),
      commandOutcome(['folder', '--contract', url], ofNew, readNewOptions)
    ])
      t.match(outcome, refused('--contract'))
    t.match(commandOutcome([url], ofDiff, readDiff), refused('BASE'))
  })

t.test('--help prints every option', async (t) => {
  t.match(read(['--help']), {
    exitCode: 0,
    text: /^usage: .*--contract.*--out.*--check.*--watch.*--stubs/s
  })
})

t.test('without options the own contract is compiled', async (t) => {
  t.strictSame(read([]), {
    client: true,
    root: process.cwd(),
    check: false,
    watch: false,
    stubs: false,
    allWarnings: false,
    format: 'text',
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
