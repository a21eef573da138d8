/** Entry point of features of a client: `generated/client.js` has those that its operations need. */
export { headerValue as header, readExactJson as exactJson } from './client/features/exact-json.ts'
export { formText as form, multipart } from './client/features/forms.ts'
export { readItems } from './client/features/read-items.ts'
export { bytes } from './client/features/streams.ts'
export { wire, writeItems } from './client/features/write-items.ts'
export { bodyKind as kindOf } from './model/media-type.ts'
