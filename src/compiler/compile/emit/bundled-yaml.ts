/** Writes the bundled document of a contract in several files as YAML; every reference in it resolves. */
import { stringifyYaml } from '@redocly/openapi-core'
import type { JsonObject } from '../document/json-value.ts'

/** Marks the digits of a bigint, which the YAML writer does not know: a private-use character. */
const mark = '\u{F0000}'
const marked = new RegExp(`${mark}(-?\\d+)`, 'gu')

export function bundledYaml(document: JsonObject): string {
  const text = JSON.stringify(document, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${mark}${value}` : value
  )
  return stringifyYaml(JSON.parse(text), { lineWidth: -1 }).replaceAll(marked, '$1')
}
