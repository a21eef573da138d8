/** Door of the compiled contract: what the compiler writes, and the server and tools read. */
export { buildLine, firstLine } from './model/build.ts'
export {
  type CompiledCode,
  type Contract,
  declaredResponse,
  type ExamplePart,
  type ExampleRequest,
  type FieldSpec,
  type Operation,
  type RequestBody,
  type RequestContent,
  type Response,
  type ResponseContent,
  type ResponseHeader,
  type SecurityRequirement,
  type SecurityScheme,
  type Source,
  type Validator
} from './model/compiled-contract.ts'
export type { DeclaredShape, RequestBodies, RequestShape } from './model/declared-shape.ts'
export { format } from './model/format.ts'
export type { Int64Node, Int64Plan } from './model/int64-plan.ts'
export { itemShape, type ParameterSpec, propertyShape, type TextShape } from './model/parameter.ts'
export { encodedLiteral, templateLiterals, templateNames } from './model/path-template.ts'
export { pattern } from './model/pattern.ts'
