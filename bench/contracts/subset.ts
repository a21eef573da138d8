/** Cuts a contract down to its first operations and the components that they refer to. */

type Node = Record<string, unknown>

export interface Description {
  readonly paths: Record<string, Node>
  readonly components?: Record<string, Record<string, unknown>>
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

export function operationCount({ paths }: Description): number {
  return Object.values(paths).flatMap((item) => Object.keys(item).filter((name) => methods.has(name))).length
}

/** @returns the same document without the other operations, webhooks and components */
export function firstOperations(description: Description, count: number): object {
  const paths: Record<string, Node> = {}
  let left = count
  for (const [path, item] of Object.entries(description.paths)) {
    if (left <= 0) break
    const kept = Object.entries(item).filter(([name]) => !methods.has(name) || left-- > 0)
    paths[path] = Object.fromEntries(kept)
  }
  const { webhooks: _, 'x-webhooks': __, ...rest } = description as Description & Node
  return { ...rest, paths, components: reachable(paths, description) }
}

function reachable(paths: Record<string, Node>, { components = {} }: Description): object {
  const { securitySchemes = {} } = components
  const found: Record<string, Record<string, unknown>> = { securitySchemes }
  const pending = [JSON.stringify(paths)]
  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    for (const [, section = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"/]+)/g)) {
      found[section] ??= {}
      if (Object.hasOwn(found[section], name)) continue
      found[section][name] = components[section]?.[name]
      pending.push(JSON.stringify(found[section][name]))
    }
  }
  return found
}
