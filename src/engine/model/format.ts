/**
 * The format of generated code: a digest of model/ and runtime/, of what they import, and of the code that the compiler
 * writes for a few contracts. The boot refuses code of another format. format.test.ts prints the new value when one of
 * these changes.
 */
export const format = '246176703d96'
