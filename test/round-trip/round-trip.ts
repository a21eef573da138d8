/**
 * Values that a contract allows go through client, socket, server and handler, and back: what comes out is what went in.
 * The values are made from the schemas of the document, and the code on the way is the generated one.
 */

import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { compileInMemory } from '../../src/compiler/compile/in-memory.ts'
import { createClient } from '../../src/engine/client.ts'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'
import { createContractServer } from '../../src/engine/server.ts'
import { subjectsOf } from '../../src/tools/samples/requests/draft.ts'
import { ValidDrafts } from '../../src/tools/samples/requests/valid-drafts.ts'
import { Judge } from '../../src/tools/samples/requests/verdict.ts'
import { type Given, Recorder, read, type Seen, shown } from './recorder.ts'
import { requestDifferences, responseDifferences, responsesOf, valuesOf } from './values.ts'

export interface Tally {
  operations: number
  requests: number
  responses: number
  /** Reasons for which values were left out, with their numbers. */
  readonly left: Map<string, number>
  readonly differences: string[]
}

export const emptyTally = (): Tally => ({
  operations: 0,
  requests: 0,
  responses: 0,
  left: new Map(),
  differences: []
})

export interface RoundTripOptions {
  /** Number of varied values for each request and each response, beside plain ones. */
  readonly values: number
  readonly seed: number
  readonly tally: Tally
  /** Returns true for the positions of operations that are taken; by default all. */
  readonly isWanted?: (index: number) => boolean
}

export type Calls = Readonly<Record<string, (call: object) => Promise<Given>>>

/**
 * @param path root file of a contract
 * @param contract the contract as it was generated
 */
export async function roundTrip(path: string, contract: Contract, options: RoundTripOptions): Promise<void> {
  const { contract: checked, model } = await compileInMemory(resolve(path))
  const code = await checked.load()
  const generated = await contract.load()
  const recorder = new Recorder()
  const app = await createContractServer(recorder.serverOptions(contract))
  try {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const security = recorder.credentials(contract)
    const client = createClient(contract, { baseUrl: `http://127.0.0.1:${port}`, security } as never) as Calls
    const judge = new Judge(code)
    const { tally, values, seed, isWanted = () => true } = options
    const leave = (reason: string) => tally.left.set(reason, (tally.left.get(reason) ?? 0) + 1)
    for (const [index, subject] of subjectsOf(checked, model).entries()) {
      if (!isWanted(index)) continue
      tally.operations++
      const { operation } = subject
      const call = async (sent: object): Promise<[Seen | undefined, Given | Error]> => {
        recorder.seen = undefined
        const answer = await client[operation.operationId]?.(sent).catch((error: Error) => error)
        return [recorder.seen, answer as Given | Error]
      }
      const report = (found: readonly string[]) =>
        tally.differences.push(...found.map((each) => `${path} ${operation.operationId}: ${each}`))
      const drafts = new ValidDrafts(subject, judge)
      const made = [...drafts.plain(seed), ...drafts.varied(seed, values)]
      if (made.length === 0) leave('no valid request is found')
      const responses = responsesOf(operation, { operation: subject.declared, code, values, seed })
      recorder.next = responses[0]?.given
      const sendable = made.flatMap((draft) => {
        const sent = valuesOf(draft)
        if (typeof sent !== 'string') return [{ draft, sent }]
        leave(sent)
        return []
      })
      for (const { draft, sent } of sendable) {
        const [seen, answer] = await call(sent)
        tally.requests++
        report(
          seen === undefined
            ? [`not reached: ${String(answer)} ${shown(sent)}`]
            : requestDifferences(draft, seen)
        )
      }
      const [first] = sendable
      if (first === undefined) continue
      if (responses.length === 0) leave('no response is found')
      for (const each of responses) {
        recorder.next = each.given
        const [, answer] = await call(first.sent)
        const received = answer instanceof Error ? answer : await whole(answer)
        tally.responses++
        report(responseDifferences(operation, each, received, generated))
      }
    }
  } finally {
    app.server.closeAllConnections()
    await app.close()
  }
}

/** Reads the body of an answer; an item may break the contract. */
const whole = async (answer: Given): Promise<Given | Error> => {
  try {
    return { ...answer, body: await read(answer.body) }
  } catch (error) {
    return error as Error
  }
}
