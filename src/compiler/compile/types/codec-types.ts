/** Types of the functions of component schemas (generated/schemas.js). */
import { quoted } from '../../source/values.ts'

/**
 * @param names schemas that have functions
 * @param typed schemas that have a type; further ones are made for the types of handlers
 */
export function codecTypes(names: readonly string[], typed: readonly string[]): string {
  if (names.length === 0) return ''
  const keys = names.length === typed.length ? 'keyof Schemas' : names.map(quoted).join(' | ')
  return `export interface SchemaProblem {
    /** \`value/items/0/id\` */
    readonly place: string;
    /** JSON pointer into the value: \`/items/0/id\`. */
    readonly pointer: string;
    readonly keyword: string | undefined;
    readonly message: string;
}
export interface SchemaCodec<Value> {
    /** Throws SchemaMismatch for a text that is not JSON or breaks the schema. */
    parse(text: string | Uint8Array): Value;
    /** Returns at most twenty problems; none for a valid value. */
    check(value: unknown): readonly SchemaProblem[];
    /** Writes the declared properties; throws SchemaMismatch for a value that breaks the schema. */
    stringify(value: Value): string;
}
/** The same functions, which load their code first. */
export interface LazyCodec<Value> {
    parse(text: string | Uint8Array): Promise<Value>;
    check(value: unknown): Promise<readonly SchemaProblem[]>;
    stringify(value: Value): Promise<string>;
}
type CodecNames = ${keys};
/** Functions for what handlers send; \`received\` for what they receive. */
export type SchemaCodecs = { readonly [Name in CodecNames]: SchemaCodec<Schemas[Name]> & { readonly received: SchemaCodec<Requests[Name]> } };
export type LazySchemas = { readonly [Name in CodecNames]: LazyCodec<Schemas[Name]> & { readonly received: LazyCodec<Requests[Name]> } };
`
}
