/** Entry point of media types: their syntax and kinds, and which of them matches `Content-Type` and `Accept`. */
export { negotiate, ranked } from './model/accept.ts'
export { mediaTypeMatcher } from './model/content-type.ts'
export {
  type BodyKind,
  bodyKind,
  type Framing,
  framingOf,
  isPatternOnly,
  parseMediaType,
  sequentialTypes
} from './model/media-type.ts'
