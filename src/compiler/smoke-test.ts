/** The entry of the smoke test of a project, for development time: a request of each operation, until all have succeeded. */

import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contract } from '@contract-first/engine/model'
import { compileInMemory, type InMemory } from './compiler.ts'
import type { Draft, Subject } from './instances/requests/draft.ts'
import type { RawRequest } from './instances/requests/raw-request.ts'
import { opensStream } from './instances/requests/sequence.ts'
import { firstDrafts } from './instances/requests/valid-drafts.ts'
import { type Exchange, exchange, type Limits } from './smoke-test/exchange.ts'
import { type Finding, findingOf } from './smoke-test/finding.ts'
import { authorized, fixtureRequest, type Given, type GivenFixture } from './smoke-test/fixtures.ts'

export type { Finding } from './smoke-test/finding.ts'
export type { Credentials, Fixture, Fixtures } from './smoke-test/fixtures.ts'

/** One operation. */
export interface Trial {
  /** Method and path: `POST /pets`. */
  readonly name: string
  /** Sends a request to the server at a base URL, and ends in a bounded time. */
  readonly run: (url: string, limits?: Limits) => Promise<Finding>
}

const usual: Limits = { answerMs: 10_000, bodyMs: 1_000, bytes: 65_536 }

/** Waits less long for a stream, which may have no item for any time. */
const patient = (limits: Limits): Limits => ({ ...limits, answerMs: Math.min(limits.answerMs, 3_000) })

/**
 * Returns a trial of each operation, deletions last: other operations need what they delete.
 * @param contract generated/contract.ts; its files are compiled again
 */
export async function smokeTest(
  contract: Pick<Contract, 'url' | 'sources'>,
  given: Given
): Promise<readonly Trial[]> {
  const file = fileURLToPath(new URL(String(contract.sources[0]?.file), contract.url))
  const compiled = await compileInMemory(file, { root: parse(file).root })
  const own = { fixtures: ownOf(given.fixtures), credentials: ownOf(given.credentials) }
  const drafts = [...firstDrafts(compiled, await compiled.contract.load())]
  const isDeletion = ([{ operation }]: (typeof drafts)[number]) => Number(operation.method === 'DELETE')
  return drafts
    .toSorted((a, b) => isDeletion(a) - isDeletion(b))
    .map(([subject, draft]) => ({
      name: subject.name,
      run: (url, limits = usual) =>
        tried({ subject, draft, given: own }, compiled, async (raw) => {
          const limit = opensStream(subject.operation) ? patient(limits) : limits
          const answer = await exchange(url, raw, limit)
          if (answer.status !== undefined) given.coverage?.count(subject.operation, { ...raw, ...answer })
          return answer
        })
    }))
}

/** Leaves out what every object inherits: an operation may be named `constructor`. */
const ownOf = (values: object) => Object.assign(Object.create(null), values)

interface Prepared {
  readonly subject: Subject
  readonly draft: Draft | undefined
  readonly given: { readonly fixtures: Readonly<Record<string, GivenFixture | undefined>> } & Pick<
    Given,
    'credentials'
  >
}

/** @throws {Unsendable} for a given value that no request can carry */
async function tried(
  { subject, draft, given }: Prepared,
  { contract: { securitySchemes } }: InMemory,
  send: (raw: RawRequest) => Promise<Exchange>
): Promise<Finding> {
  const { operation } = subject
  const fixture = given.fixtures[operation.operationId]
  if (draft === undefined && fixture === undefined) {
    const text = `has no request: none is found that is valid; write it into test/fixtures.ts, under ${operation.operationId}`
    return { kind: 'unseen', text }
  }
  const bare = fixtureRequest(subject, draft, fixture ?? {})
  const raw = authorized(bare, operation, { securitySchemes, credentials: given.credentials })
  const sent = raw ?? bare
  return findingOf({ operation, raw: sent, isAuthorized: raw !== undefined }, await send(sent))
}
