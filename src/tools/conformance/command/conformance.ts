/** `npm run conformance -- --url URL`: checks a running server against the contract over HTTP. */
import { paints, terminal } from '@contract-first/cli/command'
import {
  type CommandLine,
  type Grammar,
  refuse,
  refuseUsage,
  refuseValue
} from '@contract-first/cli/command-line'
import {
  contractCommand,
  contractFile,
  contractOptions
} from '../../../compiler/command/generate/read-project.ts'
import { formats } from '../../../compiler/command/generate/report-formats.ts'
import type { Options } from './run.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  await contractCommand(grammar, async (line) => {
    const options = readOptions(line)
    const { runConformance } = await import('./run.ts')
    const { text, warnings, findings, unmade } = await runConformance(options, {
      paints,
      progress: terminal()
    })
    process.stderr.write(warnings)
    process.stdout.write(text)
    process.exitCode = Number(findings + unmade > 0)
  })
}

export const grammar: Grammar = {
  usage: `usage: npm run conformance -- --url URL [OPTION…]

  Sends valid, unusual and invalid requests to a running server, in any language, and
  compares every answer with the contract. It creates, changes and deletes what the
  contract lets it: never use it on a server whose data is needed.`,
  options: {
    '--url URL': 'the server; the paths of the contract follow the path of the URL',
    ...contractOptions,
    '--token T': 'the credential: a bearer token, user:password of basic, or an API key',
    "--header 'N: v'": 'a header of every request; several times for several',
    '--seed N': 'equal seeds send equal requests and give equal findings [1]',
    '--requests N': 'valid requests by chance for each operation, after those that are always sent [200]',
    '--only NAME': 'checks this operation only: an operationId, METHOD /path or a path, * for any characters',
    '--skip NAME': 'leaves an operation out; several times for several, as --only',
    '--format FORMAT': `${formats.join(', ')} [text]`
  },
  notes: `It ends with 0 without a finding, 1 with findings or without a valid request for an
operation, 2 where nobody answers.
Findings that conformance-accepted.yaml lists beside the contract do not count: docs/conformance.md.`
}

/** @throws {Mistake} for a wrong value */
export function readOptions(line: CommandLine): Options {
  const { value, all } = line
  const url = urlOf(value('url'))
  const headers = all('header').map(headerOf)
  const [seed, requests] = [integerOf(value('seed') ?? '1'), integerOf(value('requests') ?? '200')]
  const format = formats.find((name) => name === (value('format') ?? 'text'))
  if (value('url') === undefined) refuse('--url is missing', grammar)
  if (url === undefined) refuseValue('url', value('url'), 'an http:// or https:// URL')
  if (headers.includes(undefined)) refuseUsage("--header must be 'Name: value'")
  if (seed === undefined) refuseValue('seed', value('seed'), 'a whole number')
  if (requests === undefined || requests < 0)
    refuseValue('requests', value('requests'), 'a whole number, 0 or more')
  if (format === undefined) refuseValue('format', value('format'), formats.join(', '))
  return {
    url,
    ...contractFile(line),
    token: value('token'),
    headers: Object.fromEntries(headers.filter((header) => header !== undefined)),
    seed,
    requests,
    only: all('only'),
    skip: all('skip'),
    format
  }
}

function urlOf(text: string | undefined): URL | undefined {
  const url = URL.parse(text ?? '')
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

/** Splits `NAME: VALUE` (RFC 9110, sections 5.1 and 5.5). */
function headerOf(text: string): readonly [string, string] | undefined {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e]*?)[ \t]*$/.exec(text) ?? []
  return name === undefined || value === undefined ? undefined : [name, value]
}

function integerOf(text: string): number | undefined {
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined
}
