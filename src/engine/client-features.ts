/** Door of features of a client: `generated/client.js` has those that its operations need. */
export { readExactJson as exactJson } from './client/features/exact-json.ts'
export { formText as form } from './client/features/form-text.ts'
export { headerValue as header } from './client/features/header-value.ts'
export { multipart } from './client/features/multipart.ts'
export { readItems } from './client/features/read-items.ts'
export { bytes } from './client/features/streams.ts'
export { writeItems } from './client/features/write-items.ts'
export { bodyKind as kindOf } from './media-types/media-type.ts'
