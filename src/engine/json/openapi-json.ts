/** Writes the text of a contract as JSON. The YAML schema is that of the compiler's parser (@redocly/openapi-core). */
import {
  binaryTag,
  CORE_SCHEMA,
  defineScalarTag,
  intCoreTag,
  load,
  mergeTag,
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
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(source) : value
  }
})

/** Keeps bytes as Base64, because JSON has none. */
const base64 = defineScalarTag(binaryTag.tagName, {
  ...binaryTag,
  resolve: (source) => source.replaceAll(/\s/g, '')
})

const schema = CORE_SCHEMA.withTags(mergeTag, base64, omapTag, pairsTag, setTag, exactInteger)

/**
 * @param text a contract that the compiler has accepted (`contract.yaml()`), in YAML or JSON
 * @returns the same document as JSON, with a line feed at the end
 */
export function openApiJson(text: string): string {
  return `${stringify(load(text, { schema }), 2)}\n`
}
