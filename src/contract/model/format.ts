/**
 * The format of generated code: a digest of model/ and of what it imports, which is everything that the compiler writes
 * for the server. The boot refuses code of another format. format.test.ts prints the new value when model/ changes.
 */
export const format = '0df93f67f2b3'
