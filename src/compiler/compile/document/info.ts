/** The Info Object (OpenAPI 3.1.0, section 4.8.2). */
import { type JsonObject, objectOf, own } from './json-value.ts'

/** Returns the title or the version of the API. */
export const titleOf = (document: JsonObject, key: 'title' | 'version'): string =>
  String(own(objectOf(own(document, 'info')), key))
