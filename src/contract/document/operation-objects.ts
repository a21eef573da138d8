/** Members of Path Items and responses. */

/** Fields of a Path Item that hold an operation, in the order in which operations are listed. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

/** Field of a Path Item that holds the operations of all other methods (OpenAPI 3.2.0, section 4.9). */
export const additional = 'additionalOperations'

/** Returns true for a status, a range or `default` (OpenAPI 3.1.0, section 4.8.16.2). */
export const isStatus = (name: string): boolean => /^([1-5](\d\d|XX)|default)$/i.test(name)
