/** The entry of the conformance check, for development time: checks a running server against a compiled contract. */

export { maxCharacters, maxValues } from '../samples/budget.ts'
export {
  type AcceptedEntry,
  type AcceptedFinding,
  readAcceptedFindings,
  withoutAcceptedFindings
} from './accepted-findings.ts'
export {
  type Checked,
  type CheckOptions,
  checkServer as checkConformance,
  type Progress,
  type Selection,
  unknownNames
} from './check-server.ts'
export { type Check, checks, type Finding, type Report } from './finding.ts'
export { NoAnswer } from './http-client.ts'
