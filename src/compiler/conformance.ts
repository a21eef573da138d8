/** The door of the conformance check: a running server against a compiled contract. For development time. */
export {
  type Checked,
  type CheckOptions,
  checkServer as checkConformance,
  type Progress
} from './conformance/check-server.ts'
export { type Check, checks, type Finding, type Report } from './conformance/checks/finding.ts'
export { NoAnswer } from './conformance/transport/reach.ts'
