/** The text that a service offers as its contract. */

import { stringifyYaml } from '@redocly/openapi-core'
import type { JsonObject } from '../document/json-value.ts'
import type { LoadedContract } from '../load/load.ts'

/** Marks the digits of a bigint, which the YAML writer does not know: a private-use character. */
const mark = '\u{F0000}'
const marked = new RegExp(`${mark}(-?\\d+)`, 'gu')

export function bundledYaml(document: JsonObject): string {
  const text = JSON.stringify(document, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${mark}${value}` : value
  )
  return stringifyYaml(JSON.parse(text), { lineWidth: -1 }).replaceAll(marked, '$1')
}

/** @returns the file as it was read; for a contract in several files, one document in which every reference resolves */
export function contractYaml({ files: [root], bundle }: LoadedContract): string {
  return bundle === undefined ? root.text : bundledYaml(bundle)
}
