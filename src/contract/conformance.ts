/** The door of the conformance check: a running server against a compiled contract. For development time. */

import { type Checked, type CheckOptions, checkServer } from './conformance/check-server.ts'
import { exactDocument } from './instances.ts'

export { type Checked, type CheckOptions, NoAnswer, type Progress } from './conformance/check-server.ts'
export type { Check, Finding, Report } from './conformance/checks/finding.ts'
export type { Contract } from './model/compiled-contract.ts'

/**
 * Checks every operation of a contract on the server at the URL.
 * @throws {NoAnswer} where nobody answers
 */
export async function checkConformance(options: CheckOptions): Promise<Checked> {
  return checkServer(options, exactDocument(await options.contract.document()))
}
