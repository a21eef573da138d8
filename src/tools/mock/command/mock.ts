/** `npm run mock`: serves a contract without handlers, and follows its edits; Ctrl-C ends it. */
import { resolve } from 'node:path'
import { paints } from '@contract-first/cli/command'
import { type CommandLine, type Grammar, refuseValue } from '@contract-first/cli/command-line'
import {
  contractCommand,
  contractFile,
  contractOptions
} from '../../../compiler/command/generate/read-project.ts'
import type { MockCommand } from './mock-session.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  await contractCommand(grammar, async (line) => {
    const options = readMockOptions(line)
    const ending = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort())
    const { configuredUrl, runMock } = await import('./mock-session.ts')
    const baseUrl = configuredUrl(process.env, process.loadEnvFile)
    const { stdout: output, stderr: errors } = process
    await runMock({ ...options, baseUrl }, { output, errors, paints, ending: ending.signal })
  })
}

export const grammar: Grammar = {
  usage: `usage: npm run mock [-- OPTION…]

  Serves a contract without handlers: requests are validated as the service validates them, answers are the examples of the
  contract, or made from its schemas. Each save of the contract is served at once; Ctrl-C ends it.`,
  options: {
    ...contractOptions,
    '--port N': 'the port; 0 takes a free one [4010]',
    '--host H': 'the address to listen on [127.0.0.1]',
    '--seed N': 'equal seeds give equal answers [1]',
    '--state memory': 'keeps what requests create, change and delete, until the mock ends',
    '--proxy URL': 'asks a real server first, and says where its answers break the contract',
    '--override FILE':
      'answers by operationId: { status, headers, body }, or a list of them; read again at each save'
  },
  notes: `The header Prefer chooses the answer: code=404, example=NAME, dynamic=true.
The path of BASE_URL, from .env as well, prefixes every route, as that of the service does; by default it is that of the
first server in the contract.`
}

/** @throws {Mistake} for a wrong value */
export function readMockOptions(line: CommandLine): MockCommand {
  const { value } = line
  const [port, seed] = [wholeNumber(value('port') ?? '4010'), wholeNumber(value('seed') ?? '1')]
  if (port === undefined || port > 65_535) refuseValue('port', value('port'), 'a number from 0 to 65535')
  if (seed === undefined || seed > 0x7fff_ffff)
    refuseValue('seed', value('seed'), 'a whole number up to 2147483647')
  const state = value('state')
  if (state !== undefined && state !== 'memory') refuseValue('state', state, 'memory')
  const [override, proxy] = [value('override'), value('proxy')]
  if (proxy !== undefined && !/^https?:\/\//.test(proxy))
    refuseValue('proxy', proxy, 'a URL of http or https')
  return {
    ...contractFile(line),
    host: value('host') ?? '127.0.0.1',
    port,
    seed,
    ...(state && { state }),
    ...(proxy !== undefined && { proxy }),
    ...(override !== undefined && { override: resolve(override) })
  }
}

const wholeNumber = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)
