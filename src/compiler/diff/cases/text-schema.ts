/** Schemas of the texts in which values are sent, so that a number and a word can be compared. */
import { type Json, type JsonObject, own } from '../../compile/documents.ts'
import { valuesOf } from '../../evaluate/members.ts'
import type { Case } from './cases.ts'
import { lengthsOf } from './members.ts'
import { numberPattern, textOf } from './text-layout.ts'

/** The cases of a place, and whether its schema may allow more texts than it has, or fewer. */
export interface Place {
  readonly cases: readonly Case[]
  /** True for the sender, whose schema may allow more; that of a receiver may allow fewer. */
  readonly isSent: boolean
}

/** Returns a schema of the texts of single values. */
export function scalarTexts({ cases, isSent }: Place): Json {
  const has = (wanted: Case['type']) => cases.some(({ type }) => type === wanted)
  const numbers = cases.filter(({ type }) => type === 'number')
  const texts = cases.flatMap((each): Json[] => {
    const kept = each.type === 'string' ? stringTexts(each, false) : {}
    if (each.values !== undefined && each.type !== 'null')
      return [{ ...kept, ...enumeration(each.values.map(textOf)) }]
    if (each.type === 'null') return has('string') && !isSent ? [] : [enumeration(['null', ''])]
    if (each.type === 'number') return numberTexts(each, isSent)
    return each.type === 'string' ? [stringTexts(each, !isSent && !numbers.every(isFree))] : []
  })
  return texts.length > 0 && { anyOf: texts }
}

const enumeration = (texts: string[]): JsonObject => ({ type: 'string', enum: texts })

const keywords = ['minLength', 'maxLength', 'pattern', 'format', 'not', 'if', 'then', 'else'] as const

/** @param isLeft true to leave out the texts of numbers: a server reads those first, and may refuse them */
function stringTexts({ nodes }: Case, isLeft: boolean): JsonObject {
  const parts = nodes.map((node) =>
    Object.fromEntries(
      keywords.flatMap((key) => {
        const value = own(node, key)
        return value === undefined ? [] : [[key, value]]
      })
    )
  )
  const left: Json[] = isLeft ? [{ not: { type: 'string', pattern: numberPattern } }] : []
  return { type: 'string', allOf: [...parts, ...left] }
}

const bounds = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'not',
  'if'
] as const

/** Most integers whose texts are listed. */
const maxListed = 300

/** Returns whether no number is refused. */
export const isFree = ({ nodes, values }: Case): boolean =>
  values === undefined && ![...bounds, 'format'].some((key) => valuesOf(nodes, key).length > 0)

/** Returns patterns of at least the texts of a sender, and of at most those that a receiver takes. */
function numberTexts(each: Case, isSent: boolean): Json[] {
  const listed = integersOf(each)
  if (listed !== undefined) return [enumeration(listed)]
  const least = leastOf(each)
  const written = bounds.filter((key) => valuesOf(each.nodes, key).length > 0)
  const isCertain = written.every((key) => key === 'minimum') && least <= 0
  if (!isSent && !isCertain) return []
  const sign = isSent ? (least >= 0 ? '' : '-?') : written.length === 0 ? '-?' : ''
  if (!each.isInteger) return [{ type: 'string', pattern: `^${sign}${numberPattern.slice('^-?'.length)}` }]
  const further = furtherDigits(each, isSent)
  const digits = further === undefined ? '*' : `{0,${further}}`
  const longest = further === undefined || !isSent ? {} : { maxLength: further + 1 + (sign === '' ? 0 : 1) }
  return [{ type: 'string', pattern: `^${sign}(0|[1-9][0-9]${digits})$`, ...longest }]
}

/** Digits after the first one that all integers of a format have at most, and that some have. */
const digitsOf: ReadonlyMap<Json, readonly [sent: number, received: number]> = new Map([
  ['int32', [9, 8]],
  ['int64', [18, 17]]
])

function furtherDigits({ nodes }: Case, isSent: boolean): number | undefined {
  const found = valuesOf(nodes, 'format').flatMap((format) => digitsOf.get(format)?.[isSent ? 0 : 1] ?? [])
  return found.length === 0 ? undefined : Math.min(...found)
}

const leastOf = ({ nodes }: Case): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...valuesOf(nodes, 'minimum').map(Number))

/** Returns the texts of few integers; undefined for fractions, and for many. */
function integersOf({ nodes, isInteger }: Case): string[] | undefined {
  const least = Math.ceil(Math.max(...valuesOf(nodes, 'minimum').map(Number)))
  const most = Math.floor(Math.min(...valuesOf(nodes, 'maximum').map(Number)))
  const further = bounds.slice(2).some((key) => valuesOf(nodes, key).length > 0)
  if (!isInteger || further || !(most - least < maxListed)) return undefined
  return Array.from({ length: Math.max(0, most - least + 1) }, (_none, index) => String(least + index))
}

/** Keywords of lists that a schema of texts does not have. */
const unlisted = ['prefixItems', 'contains', 'unevaluatedItems', 'not', 'if']

/**
 * Returns the schema of a list of texts.
 * @param place the cases of its items
 */
export function listTexts({ nodes }: Case, { cases, isSent }: Place): Json {
  if (!isSent && unlisted.some((key) => valuesOf(nodes, key).length > 0)) return false
  const { least, most } = lengthsOf({ nodes })
  const hasTuple = valuesOf(nodes, 'prefixItems').length > 0
  const isUnique = valuesOf(nodes, 'uniqueItems').includes(true)
  return {
    type: 'array',
    items: hasTuple ? true : scalarTexts({ cases, isSent }),
    minItems: least,
    ...(Number.isFinite(most) && { maxItems: most }),
    ...(isUnique && { uniqueItems: true })
  }
}
