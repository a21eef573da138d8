/** The entry of the samples, for development time. */
export * from '../tools/samples/samples.ts'
