/** The entry for the parts of a new project that a contract decides, for development time. */
export * from '../tools/new/scaffold.ts'
