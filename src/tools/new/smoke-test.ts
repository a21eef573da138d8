/** The entry of the smoke test of a project, for development time: a request of each operation, until all have succeeded. */

import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type Fetch } from '@contract-first/engine/client'
import type { Contract, Operation } from '@contract-first/engine/model'
import { compileInMemory } from '../../compiler/compile/in-memory.ts'
import type { Draft, Subject } from '../samples/requests/draft.ts'
import { opensStream } from '../samples/requests/sequence.ts'
import { firstDrafts } from '../samples/requests/valid-drafts.ts'
import { type Call, exchange, type Finding, findingOf, type Limits } from './smoke-exchange.ts'
import { callOf, type Given, type GivenFixture, isAuthorized } from './smoke-fixtures.ts'

export type { Finding } from './smoke-exchange.ts'
export {
  type Credentials,
  credentialOptions,
  type Fixture,
  type Fixtures
} from './smoke-fixtures.ts'

/** One operation. */
export interface Trial {
  /** Method and path: `POST /pets`. */
  readonly name: string
  /**
   * Calls the operation by a client of the contract, which has the credentials, and ends in a bounded time. The URL of a
   * server stands for a client of it, as in projects of earlier versions.
   */
  readonly run: (client: object | string, limits?: Limits) => Promise<Finding>
}

const usual: Limits = { answerMs: 10_000, itemMs: 1_000, retryMs: 1_000 }

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
  const pathOf = (source: Contract['sources'][number] | undefined) =>
    fileURLToPath(new URL(String(source?.file), contract.url))
  const file = pathOf(contract.sources[0])
  const module = contract.sources.find(({ formats }) => formats)
  const formats = module && pathOf(module)
  const compiled = await compileInMemory(file, { root: parse(file).root, formats })
  const fixtures: Readonly<Record<string, GivenFixture>> = ownOf(given.fixtures)
  const credentials = ownOf(given.credentials)
  const drafts = [...firstDrafts(compiled, await compiled.contract.load())]
  const isDeletion = ([{ operation }]: (typeof drafts)[number]) => Number(operation.method === 'DELETE')
  return drafts
    .toSorted((a, b) => isDeletion(a) - isDeletion(b))
    .map(([subject, draft]) => ({
      name: subject.name,
      run: (client, limits = usual) => {
        const caller =
          typeof client === 'string' ? clientOf(client, compiled.contract, subject.operation, given) : client
        const call: Call = Reflect.get(caller, subject.operation.operationId)
        const fixture = fixtures[subject.operation.operationId]
        return tried({ subject, draft, fixture, credentials }, call, limits)
      }
    }))
}

/** Returns a client of a server, for one operation, whose calls `coverage` counts. */
function clientOf(baseUrl: string, contract: Contract, operation: Operation, given: Given): object {
  const { credentials, coverage } = given
  const counted: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    const target = url.slice(baseUrl.replace(/\/$/, '').length)
    const contentType = String(response.headers.get('content-type'))
    const headers = Object.fromEntries(new Headers(init.headers))
    coverage?.count(operation, { target, headers, status: response.status, contentType })
    return response
  }
  return createClient(contract, { baseUrl, security: credentials as never, fetch: counted })
}

/** Leaves out what every object inherits: an operation may be named `constructor`. */
const ownOf = (values: object) => Object.assign(Object.create(null), values)

interface Prepared {
  readonly subject: Subject
  readonly draft: Draft | undefined
  readonly fixture: GivenFixture | undefined
  readonly credentials: Given['credentials']
}

async function tried(
  { subject: { operation }, draft, fixture, credentials }: Prepared,
  call: Call,
  limits: Limits
): Promise<Finding> {
  if (draft === undefined && fixture === undefined) {
    const text = `has no request: none is found that is valid; write it into test/fixtures.ts, under ${operation.operationId}`
    return { kind: 'unseen', text }
  }
  const values = callOf(draft, fixture ?? {})
  const exchanged = await exchange(call, values, opensStream(operation) ? patient(limits) : limits)
  return findingOf(operation, values, isAuthorized(operation, credentials), exchanged)
}
