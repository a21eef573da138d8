/** Options of a command, and the settings of the project that it works on. */
import { join, resolve } from 'node:path'
import t from 'tap'
import {
  contractFile,
  contractRoot,
  readProject
} from '../../../../src/compiler/command/generate/read-project.ts'
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

t.test('a usage error names the option', async (t) => {
  for (const [args, problem] of [
    ['--contracts x', '--contracts is not an option'],
    ['openapi.yaml', 'openapi.yaml is not an option'],
    ['--contract', '--contract needs a value'],
    ['--out=', '--out needs a value'],
    ['--check=yes', '--check takes no value'],
    ['--check --watch', '--check and --watch cannot be combined'],
    ['--stubs --out elsewhere', '--stubs is for the contract that this service serves, and no other']
  ] as const) {
    const refused = read(args.split(' '))
    t.match(refused, { exitCode: 2, text: expected })
    t.match(refused, { text: `${problem}; ` })
  }
})

const download = 'save it as a file, '
/** URLs, and what to do instead. */
const urls: readonly (readonly [url: string, cure: string])[] = [
  [
    'https://a.example/v1/openapi.yaml',
    `${download}as with curl -o openapi.yaml 'https://a.example/v1/openapi.yaml', `
  ],
  ['HTTP://a.example//x', download],
  ['s3://bucket/openapi.yaml', download],
  ['file:///x/openapi.yaml', 'write the path of the file'],
  ['FILE://x.yaml', 'write the path of the file']
]

t.test('no command reads a URL', async (t) => {
  for (const [url, cure] of urls) {
    const text = `${url} is a URL, and only files are read: ${cure}`
    for (const outcome of [
      read(['--contract', url]),
      commandOutcome(['--contract', url], ofDiff, readDiff),
      commandOutcome(['--contract', url], ofMock, readMockOptions),
      commandOutcome(['--url', 'http://a', '--contract', url], ofConformance, readConformance),
      commandOutcome(['folder', '--contract', url], ofNew, readNewOptions)
    ])
      t.match(outcome, { exitCode: 2, text: `--contract ${text}` })
    t.match(commandOutcome([url], ofDiff, readDiff), { exitCode: 2, text: `BASE ${text}` })
  }
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

t.test('another contract or folder is not the own one, and lenient without --strict', async (t) => {
  for (const [args, want] of [
    ['--contract other.yaml', { contract: resolve('other.yaml'), handlers: undefined, strict: false }],
    ['--contract other.yaml --strict', { strict: true }],
    ['--out other --check', { out: resolve('other'), check: true, handlers: undefined, strict: true }]
  ] as const)
    t.match(read(args.split(' ')), want)
})

t.test('a project has defaults, and settings in package.json', async (t) => {
  const root = process.cwd()
  t.match(readProject(), { folder: root, handlers: join(root, 'src/plants'), isStrict: true })
  const folder = t.testdir({ named: { 'package.json': '{ "name": "named" }' } })
  for (const project of [folder, join(folder, 'named')])
    t.strictSame(readProject(project), {
      folder: project,
      contract: join(project, 'openapi.yaml'),
      root: project,
      out: join(project, 'generated'),
      handlers: join(project, 'src/handlers'),
      formats: undefined,
      client: true,
      isStrict: false
    })
  const settings = {
    file: 'api/museum.json',
    out: 'made',
    handlers: 'lib',
    formats: 'lib/formats.ts',
    client: false,
    strict: true
  }
  const set = t.testdir({ 'package.json': JSON.stringify({ contract: settings }) })
  t.strictSame(readProject(set), {
    folder: set,
    contract: join(set, 'api/museum.json'),
    root: join(set, 'api'),
    out: join(set, 'made'),
    handlers: join(set, 'lib'),
    formats: join(set, 'lib/formats.ts'),
    client: false,
    isStrict: true
  })
})

t.test('wrong settings are refused in a sentence', async (t) => {
  const known =
    'file (string), root (string), out (string), handlers (string), formats (string), client (boolean), strict (boolean)'
  const setting = (name: string) => `"contract" in package.json: ${name} is not one of ${known}`
  for (const [text, message] of [
    ['{ "contract": { "strict": "yes" } }', setting('strict')],
    ['{ "contract": { "toString": "x" } }', setting('toString')],
    ['{ "name": ', /package\.json is not JSON: /],
    [
      '{ "contract": { "file": "https://a.example/x.yaml" } }',
      /^"contract" in package.json: file https:\/\/a.example\/x.yaml is a URL, and only files are read/
    ]
  ] as const)
    t.throws(() => readProject(t.testdir({ 'package.json': text })), { message })
})

t.test(
  'references may lead to files below the folder of the contract, or below another that is named',
  async (t) => {
    const settings = { file: 'api/museum.json', root: '.' }
    const folder = t.testdir({ 'package.json': JSON.stringify({ contract: settings }) })
    t.equal(readProject(folder).root, folder)
    t.equal(contractRoot(join(folder, 'api/museum.json'), undefined, folder), folder)
    t.equal(contractRoot(join(folder, 'api/other.json'), undefined, folder), join(folder, 'api'))
    t.equal(contractRoot(join(folder, 'api/other.json'), '..', folder), join(folder, '..'))
  }
)

t.test('the formats of a project are those of its contract, and of no other', async (t) => {
  const folder = t.testdir({ 'package.json': JSON.stringify({ contract: { formats: 'formats.ts' } }) })
  const line = { words: [], is: () => false, value: () => undefined }
  const own = contractFile(line as never, 'openapi.yaml', folder)
  t.equal(own.formats, join(folder, 'formats.ts'))
  t.notOk('formats' in contractFile(line as never, 'other.yaml', folder))
})
