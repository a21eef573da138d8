/** Parts of the code of a module: constants, failures, and the statement that follows a failure. */
import type { Pattern } from '@contract-first/contract'
import { escapePointer } from '@contract-first/engine/json'

export class Code {
  /** Constants and functions that the current definition adds to the module. */
  declarations: string[] = []
  /** Statement that ends the current function with a refusal. */
  refused = ''
  readonly #constants = new Map<string, string>()

  /** Returns the name of a constant of the module. */
  constant(code: string, kind: string): string {
    const name = this.#constants.get(code) ?? `${kind}_${this.#constants.size}`
    if (!this.#constants.has(code)) {
      this.#constants.set(code, name)
      this.declarations.push(`const ${name}=${code};\n`)
    }
    return name
  }

  pattern({ regexp }: Pattern): string {
    return this.constant(String(regexp), 'pattern')
  }

  /** Writes the failure of a keyword where a condition holds. */
  fails(condition: string, place: Place, keyword: string, params = '{}'): string {
    const failure = `$.fail(r,${pathOf(place)},"${keyword}",${params})`
    return `if(${condition === 'true' ? failure : `${condition}&&${failure}`})${this.refused}`
  }

  /** Writes `min…` and `max…` of a size, such as a number of items. */
  limits(unit: string, min: number | undefined, max: number | undefined, size: string, place: Place): string {
    let code = ''
    if (min !== undefined) code += this.fails(`${size}<${min}`, place, `min${unit}`, `{limit:${min}}`)
    if (max !== undefined) code += this.fails(`${size}>${max}`, place, `max${unit}`, `{limit:${max}}`)
    return code
  }
}

/** Place of a value in a function. */
export interface Place {
  /** Expressions of the value, and of its name or index. */
  readonly value: string
  readonly key: string
  /** Expression of what the path has behind that of the function; empty for the function's own value. */
  readonly path: string
  /** Number of values around it that have names in the function. */
  readonly depth: number
  /** Variable that collects the evaluated members; empty where nothing reads them. */
  readonly seen: string
}

/** Place of the function's own value. */
export const ownPlace: Place = { value: 'v', key: '', path: '', depth: 0, seen: '' }

/** Tests for types of JSON, and for the kinds of numbers: those of the format int64, and others. */
const tests: Readonly<Record<string, (place: Place) => string>> = {
  string: ({ value }) => `typeof ${value}=="string"`,
  boolean: ({ value }) => `typeof ${value}=="boolean"`,
  null: ({ value }) => `${value}===null`,
  array: ({ value }) => `Array.isArray(${value})`,
  object: ({ value }) => `$.isObject(${value})`,
  number: ({ value }) => `$.isNumber(${value})`,
  integer: ({ value }) => `$.isPlainInteger(${value})`,
  int64: ({ value }) => `$.isInteger(${value})`
}

export const typeTest = (type: string, place: Place): string => tests[type]?.(place) ?? 'false'

/** Arguments of a function that applies another one to the value. */
export const placeArguments = (place: Place): string => `${place.value},r${tracking(place)}`

/** Argument that collects the evaluated members; empty where nothing reads them. */
export const tracking = ({ seen }: Place): string => (seen === '' ? '' : `,${seen}`)

/** Expression of the path of the value. */
export const pathOf = ({ path }: Place): string => (path === '' ? 'p' : `p+${path}`)

const isName = /^[A-Za-z_$][\w$]*$/

/** Expression of a member of a value. */
export const at = (value: string, name: string): string =>
  isName.test(name) ? `${value}.${name}` : `${value}[${JSON.stringify(name)}]`

/** Condition that holds where a value has an own member. */
export const hasMember = (value: string, name: string): string =>
  `(${at(value, name)}!==undefined&&$.hasOwn(${value},${JSON.stringify(name)}))`

/**
 * Returns the place of a member.
 * @param member its name or index, or expressions of its name and of its segment in the path
 */
export function memberOf(
  place: Place,
  member: string | number | { readonly name: string; readonly path: string },
  value = `v${place.depth + 1}`
): Place {
  const isFixed = typeof member !== 'object'
  const key = isFixed ? JSON.stringify(member) : member.name
  const segment = isFixed ? JSON.stringify(`/${escapePointer(String(member))}`) : `"/"+${member.path}`
  const path = place.path === '' ? segment : `${place.path}+${segment}`.replaceAll('"+"', '')
  return { value, key, path, depth: place.depth + 1, seen: '' }
}

/** Returns the place of a member whose name, the key of the place, is the variable of a loop. */
export function namedMember(place: Place): Place {
  const name = `k${place.depth}`
  return memberOf(place, { name, path: `$.pointerSegment(${name})` })
}
