/** The entry of the comparison of contracts, for development time. */
export * from '../tools/diff/diff.ts'
