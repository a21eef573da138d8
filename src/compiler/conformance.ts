/** The entry of the conformance check, for development time. */
export * from '../tools/conformance/conformance.ts'
