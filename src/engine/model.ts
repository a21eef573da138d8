/** Entry point of the compiled contract: what the compiler writes, and the server and tools read. */
export { buildLine, firstLine } from './model/build.ts'
export type { Checker, ClientFeatures, ClientOperation } from './model/client-operation.ts'
export {
  bodiless,
  type CompiledCode,
  type Contract,
  connectionHeaders,
  declaredResponse,
  type ExamplePart,
  type ExampleRequest,
  isBearer,
  type Operation,
  type RequestBody,
  type RequestContent,
  type Response,
  type ResponseContent,
  type ResponseHeader,
  type SecurityRequirement,
  type SecurityScheme,
  type Source,
  tokenAlternative,
  type Validator
} from './model/compiled-contract.ts'
export { format } from './model/format.ts'
export { type Format, type Formats, isFormat } from './model/own-format.ts'
export {
  encodedLiteral,
  type FieldSpec,
  type FormFields,
  isHeaderName,
  itemShape,
  mayBeObject,
  type ParameterSpec,
  propertyShape,
  type TextShape,
  templateLiterals,
  templateNames
} from './model/parameter.ts'
export { pattern } from './model/pattern.ts'
export type {
  DeclaredShape,
  Int64Node,
  Int64Plan,
  ItemForm,
  Items,
  RequestBodies,
  RequestShape
} from './model/value-plans.ts'
