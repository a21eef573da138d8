/** The command `contract diff`. */
export * from '../../tools/diff/command/contract-diff.ts'
