/** The command `contract mock`. */
export * from '../../tools/mock/command/mock.ts'
