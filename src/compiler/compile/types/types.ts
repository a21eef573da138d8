/** TypeScript types of a contract: openapi-typescript's, with int64 as `bigint`, and the types of its handlers. */
import type { Operation } from '@contract-first/engine/model'
import type { SchemaObject, TransformNodeOptions } from 'openapi-typescript'
// The entry of openapi-typescript is avoided: it loads a linter and lints every document again (see `context`).
import { astToString } from 'openapi-typescript/dist/lib/ts.mjs'
import transformSchema from 'openapi-typescript/dist/transform/index.mjs'
import type ts from 'typescript'
import { type JsonObject, stringify } from '../document/json-value.ts'
import { atPointer } from '../document/reference.ts'
import { TypesView } from './document-view.ts'
import { handlerTypes } from './handler-types.ts'
import { maskPercentSigns } from './percent-signs.ts'
import { RecursiveTypes } from './recursive-types.ts'
import { schemaType } from './schema-type.ts'

export function compileTypes(
  document: JsonObject,
  operations: readonly Operation[],
  security: JsonObject
): string {
  const names = typeNames(operations.map(({ operationId }) => operationId))
  const nameOf = (operationId: string) => names.get(operationId) ?? operationId
  const text = stringify(document)
  const { view, restore } = maskPercentSigns(new TypesView(document).document(nameOf), text)
  const marked = /"(readOnly|writeOnly)":true/.test(text)
  const recursive = new RecursiveTypes(view)
  const nodes = transformSchema(view as never, context(view, marked, recursive) as never)
  const types = restore(astToString([...nodes, ...recursive.declarations()]))
  return `${halfIndented(types)}\n${handlerTypes(operations, security, marked, nameOf)}`
}

/** TypeScript's printer indents by four spaces, which are a sixth of the file. */
const halfIndented = (code: string): string =>
  code.replaceAll(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2))

/** @returns a replacement for each name that openapi-typescript cannot write into a reference */
function typeNames(operationIds: readonly string[]): Map<string, string> {
  const unwritable = operationIds.filter((id) => !/^[\w$.: -]+$/.test(id) || id === '__proto__')
  return new Map(unwritable.map((id) => [id, `operation/${operationIds.indexOf(id)}`]))
}

/**
 * Makes the context that openapi-typescript's entry function makes of its options. That function writes the document as
 * JSON, which cannot hold bigints, and lints it again. Its linter takes 140 ms of CPU time to load, a fifth of a cold
 * generation.
 */
function context(view: JsonObject, readWriteMarkers: boolean, recursive: RecursiveTypes): object {
  return {
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    defaultNonNullable: false,
    discriminators: { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    enum: false,
    enumValues: false,
    conditionalEnums: false,
    dedupeEnums: false,
    excludeDeprecated: false,
    exportType: false,
    immutable: false,
    rootTypes: false,
    rootTypesNoSchemaPrefix: false,
    rootTypesKeepCasing: false,
    injectFooter: [],
    pathParamsAsTypes: false,
    propertiesRequiredByDefault: false,
    readWriteMarkers,
    silent: true,
    makePathsEnum: false,
    generatePathParams: false,
    transform: (schema: SchemaObject, options: TransformNodeOptions) =>
      schemaType(schema as unknown as JsonObject, options),
    postTransform: (type: ts.TypeNode, { path }: { readonly path: string }) => recursive.replace(type, path),
    resolve: (reference: string) => atPointer(view, reference)
  }
}
