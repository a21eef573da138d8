/** Door of media types: their syntax and kinds, and which of them matches `Content-Type` and `Accept`. */
export { negotiate, ranked } from './media-types/accept.ts'
export { mediaTypeMatcher } from './media-types/content-type.ts'
export {
  type BodyKind,
  bodyKind,
  type Framing,
  framingOf,
  parseMediaType,
  sequentialTypes
} from './media-types/media-type.ts'
