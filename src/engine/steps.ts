/**
 * Entry point of single steps of the server and of the client, for tools that make and judge requests, responses and error bodies
 * without either.
 */
export { addCredential } from './client/credentials.ts'
export { formEnd, type Part, partHead, partsOf } from './client/features/forms.ts'
export { itemText } from './client/features/write-items.ts'
export { checkerOf, Problems } from './client/mismatch.ts'
export { isHeaderText, Unsendable } from './client/parameter-text.ts'
export { requestHead } from './client/request.ts'

export { urlencodedForm, validForm } from './server/body/form.ts'
export type { Parts } from './server/body/multipart.ts'
export { bytesBody, jsonBody, textBody, validateBody } from './server/body/parse.ts'
export { multipartForm } from './server/body/parts.ts'
export { commonErrorContent, errorContent, tryErrorBodies } from './server/errors/error-response.ts'
export { collectProblems, sentence } from './server/errors/validation-problems.ts'
export { sections } from './server/parameters/decode.ts'
export { parameterReader, type ReadRequest } from './server/parameters/read-parameters.ts'
export { pathMatcher } from './server/parameters/request-path.ts'
