/** The command `contract new`. */
export * from '../../tools/new/command/new.ts'
