/** The entry of the mock, for development time. */
export * from '../tools/mock/mock.ts'
