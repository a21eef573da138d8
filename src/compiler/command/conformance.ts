/** The command `contract conformance`. */
export * from '../../tools/conformance/command/conformance.ts'
