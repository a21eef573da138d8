/** The contracts of the round trip: those of test/contracts and test/projects, and those of this repository. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeFiles } from '../../src/compiler/compile/emit/write.ts'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'
import { compileCached, keepContract } from '../contracts/compile-cache.ts'
import { contractFiles } from '../contracts/contract-files.ts'
import { largeContract } from '../contracts/large-contract.ts'
import { type RoundTripOptions, roundTrip } from './round-trip.ts'

const others = ['museum.yaml', 'photos.json', 'trains.yaml', 'warehouse/openapi.yaml']

/** Returns the root files by name. */
export async function collection(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['plants', 'openapi.yaml'],
    ['tickets', 'examples/tickets/openapi.yaml'],
    ...others.map((file) => [file.replace(/[./].*/, ''), `test/projects/contracts/${file}`] as const),
    ...[...contractFiles()].map(([name, file]) => [name, `test/contracts/${file}`] as const),
    ['large', await keepContract('large', largeContract({ operations: 1200 }))]
  ])
}

/** Values that no text can tell from another: places by contract, and why they come out otherwise. */
const ambiguous: readonly (readonly [contract: string, difference: RegExp, reason: string])[] = [
  [
    'int64',
    /body\/fixed sent bigint/,
    'a number beyond 2^53 without the format int64 is a double (RFC 8259, section 6)'
  ],
  [
    'one-or-many',
    /query\/least sent object \[|body\/choices sent object \[/,
    'a list of one value is written as the value (RFC 6570, section 3.2.1; OpenAPI 3.1.0, section 4.8.14.4)'
  ],
  [
    'one-or-many',
    /form: body\/.* sent undefined undefined, received/,
    'a member of an exploded object is a field, which any open object of the form may have (RFC 6570, section 3.2.1)'
  ],
  ['one-or-many', /body\/fileList sent object null/, 'a part with the text null may be a file'],
  [
    'path-names',
    /both: params\/(first|second)/,
    'nothing separates the values of /{first}{second} (RFC 6570, section 1.4)'
  ],
  [
    'tolerated',
    /encoded: not reached: .* encoded answered 415/,
    'the parameter Content-Encoding names a coding that the body does not have (RFC 9110, section 8.4)'
  ]
]

/** Returns the reason for which a difference is none. */
export const reasonFor = (contract: string, difference: string): string | undefined =>
  ambiguous.find(([name, pattern]) => name === contract && pattern.test(difference))?.[2]

/** Generates the code of a contract, and makes the round trip with it. */
export async function roundTripOf(name: string, path: string, options: RoundTripOptions): Promise<void> {
  const { tally } = options
  const before = tally.differences.length
  const folder = await mkdtemp(join(tmpdir(), 'round-trip-'))
  try {
    await writeFiles(await compileCached(resolve(path), folder), folder)
    const { default: contract } = await import(pathToFileURL(join(folder, 'contract.ts')).href)
    await roundTrip(path, contract as Contract, options)
  } finally {
    await rm(folder, { recursive: true })
  }
  for (const difference of tally.differences.splice(before)) {
    const reason = reasonFor(name, difference)
    if (reason === undefined) tally.differences.push(difference)
    else tally.left.set(reason, (tally.left.get(reason) ?? 0) + 1)
  }
}
