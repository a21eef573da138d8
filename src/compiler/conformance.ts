/** The entry of the conformance check, for development time: checks a running server against a compiled contract. */
export {
  type AcceptedEntry,
  type AcceptedFinding,
  readAcceptedFindings,
  withoutAcceptedFindings
} from './conformance/accepted-findings.ts'
export {
  type Checked,
  type CheckOptions,
  checkServer as checkConformance,
  type Progress,
  type Selection,
  unknownNames
} from './conformance/check-server.ts'
export { type Check, checks, type Finding, type Report } from './conformance/finding.ts'
export { NoAnswer } from './conformance/http-client.ts'
export { maxCharacters, maxValues } from './instances/budget.ts'
