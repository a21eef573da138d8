/** JSON of servers that are independent of the engine. */

/** Parses JSON; integers that a double cannot hold are bigints. */
export function exactJson(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown
  ) => unknown
  return parse(text, (_key, value, { source = '' }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
  )
}

export const written = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item
  )
