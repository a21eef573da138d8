/** The entry of the smoke test of a project, for development time. */
export * from '../tools/new/smoke-test.ts'
