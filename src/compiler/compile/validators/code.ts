/** Parts of the code of a module: constants, failures, and the statement that follows a failure. */
import type { Pattern } from '@contract-first/contract'
import { type Place, pathOf } from './place.ts'

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
