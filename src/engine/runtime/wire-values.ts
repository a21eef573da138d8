/** Writes the values of a project's own formats as texts, wherever they stand in a value. */
import type { Format, Formats } from '../model/own-format.ts'

/** Returns a function that writes values of classes as texts; undefined where no format has a class. */
export function wireValues(formats: Formats | undefined): ((value: unknown) => unknown) | undefined {
  const classes = Object.values(formats ?? {}).filter(({ type }) => type !== undefined)
  return classes.length === 0 ? undefined : (value) => wireValue(value, classes)
}

/** Copies the lists and plain objects that hold such a value; all else stays as it is. */
function wireValue(value: unknown, classes: readonly Format[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const format = classes.find(({ type }) => value instanceof (type as new () => object))
  if (format !== undefined) return format.stringify?.(value as never)
  if (Array.isArray(value)) {
    const items = value.map((item) => wireValue(item, classes))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const members = Object.entries(value).map(([name, member]) => [name, wireValue(member, classes)] as const)
  const isSame = members.every(([name, member]) => Reflect.get(value, name) === member)
  return isSame ? value : Object.fromEntries(members)
}
