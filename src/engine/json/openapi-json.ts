/** Reads the text of a contract, and writes it as JSON or YAML. */
import {
  binaryTag,
  CORE_SCHEMA,
  defineScalarTag,
  dump,
  intCoreTag,
  load,
  mergeTag,
  NOT_RESOLVED,
  omapTag,
  pairsTag,
  setTag
} from 'js-yaml'
import { stringify } from './exact-values.ts'

/** Keeps the digits of integers beyond 2^53 (YAML 1.2.2, section 10.3.2): bounds of int64 are exact. */
const exactInteger = defineScalarTag<number | bigint>(intCoreTag.tagName, {
  ...intCoreTag,
  resolve: (source, ...tag) => {
    const value = intCoreTag.resolve(source, ...tag)
    const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
    return isRounded && /^([-+]?\d+|0[box].*)$/.test(source) ? BigInt(source) : value
  },
  identify: (value) => typeof value === 'bigint' || intCoreTag.identify(value)
})

/** Keeps bytes as Base64, because JSON has none. */
const base64 = defineScalarTag(binaryTag.tagName, {
  ...binaryTag,
  resolve: (source, ...tag) => {
    const bytes = binaryTag.resolve(source, ...tag)
    return bytes === NOT_RESOLVED ? bytes : Buffer.from(bytes).toString('base64')
  }
})

/** The tags of YAML that a contract may have. */
export const yamlSchema = CORE_SCHEMA.withTags(mergeTag, base64, omapTag, pairsTag, setTag, exactInteger)

/** Parses a contract that the compiler has accepted (`contract.yaml()`), in YAML or JSON; integers beyond 2^53 are bigint. */
export const parseOpenApi = (text: string): unknown => load(text, { schema: yamlSchema })

/** Writes a parsed contract as JSON, with a line feed at the end. */
export const writeOpenApiJson = (document: unknown): string => `${stringify(document, 2)}\n`

/** Writes a parsed contract as YAML. */
export const writeOpenApiYaml = (document: unknown): string =>
  dump(document, { schema: yamlSchema, lineWidth: -1, noRefs: true })

/**
 * @param text a contract that the compiler has accepted (`contract.yaml()`), in YAML or JSON
 * @returns the same document as JSON, with a line feed at the end
 */
export const openApiJson = (text: string): string => writeOpenApiJson(parseOpenApi(text))
