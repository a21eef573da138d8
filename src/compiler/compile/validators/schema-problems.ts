/**
 * Finds keywords of a schema that are malformed or have no effect, and patterns that backtrack for too long on a text that they
 * do not match: recheck finds out how their time grows with the length of a text.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { threadCpuUsage } from 'node:process'
import { compileFunction } from 'node:vm'
import {
  didYouMean,
  isNearMiss,
  type OwnFormats,
  type Problem,
  type Schema,
  schemaKeywords
} from '@contract-first/contract'
import { pattern } from '@contract-first/engine/model'
import type { Parameters } from 'recheck'
import { describedFormats, enforcedFormats, type View } from './reading.ts'

/** Context in which a schema is read. */
interface Context {
  readonly view: View
  readonly patterns: PatternChecks
  /** Formats of the project's own. */
  readonly formats?: OwnFormats | undefined
}

export function schemaProblems(schema: Schema, context: Context): Problem[] {
  const { broken = [], unknown = [] } = schema
  const warning = (key: string, message: string): Problem => ({
    severity: 'warning',
    rule: 'schema-keyword',
    origin: schema.origin.at(key),
    message
  })
  const unenforced = [
    ...unenforcedFormat(schema, context.formats),
    ...unenforcedContent(schema, context.view)
  ]
  return [
    ...broken,
    ...unknown.map((key) =>
      warning(key, `keyword \`${key}\` is not known and has no effect${suggestion(key)}`)
    ),
    ...[...unenforced, ...slowPatterns(schema, context.patterns)].map(([key, message]) =>
      warning(key, message)
    )
  ]
}

/** A keyword, and what is to be said about it. */
type Found = readonly [key: string, message: string]

function suggestion(key: string): string {
  const meant = [...schemaKeywords].find((keyword) => isNearMiss(key, keyword))
  return meant === undefined ? '' : `: did you mean \`${meant}\`?`
}

function unenforcedFormat({ format }: Schema, own: OwnFormats = new Map()): Found[] {
  if (format === undefined || own.has(format)) return []
  if (enforcedFormats.has(format) || describedFormats.has(format)) return []
  const meant = didYouMean(format, new Set([...enforcedFormats, ...own.keys()]))
  return [['format', `format \`${format}\` is not known and is not enforced${meant}`]]
}

function unenforcedContent({ content }: Schema, view: View): Found[] {
  if (content === undefined) return []
  const { encoding, mediaType, schema } = content
  const found: Found[] = []
  if (encoding !== undefined) {
    const message = `contentEncoding ${encoding} is an annotation and is not enforced: a text in no encoding is valid`
    found.push(['contentEncoding', message])
  }
  // The media type of a part is enforced (server/body/parts.ts), unless the bytes are encoded as text.
  const describesPart = view === 'multipart' && encoding === undefined
  const reason = 'is not enforced: only parts of multipart bodies have a media type'
  if (mediaType !== undefined && !describesPart)
    found.push(['contentMediaType', `\`contentMediaType\` ${reason}`])
  if (schema !== undefined) found.push(['contentSchema', `\`contentSchema\` ${reason}`])
  return found
}

/** Checks patterns. The length of a text is tested before its pattern (validator-writer.ts); names have no bound. */
function slowPatterns({ pattern, patterns = [], maxLength, origin }: Schema, checks: PatternChecks): Found[] {
  const found: Found[] = []
  const check = (key: string, source: string, bound: number, remedy: (slow: SlowPattern) => string) => {
    const slow = checks.slow(source, bound)
    if (slow !== undefined)
      found.push([key, slowness(slow, `pattern ${source} of ${origin.pointer}`, remedy(slow))])
  }
  const shorter = (slow: SlowPattern) => `, or give it a \`maxLength\` of at most ${slow.maxLength}`
  if (pattern !== undefined) check('pattern', pattern.source, maxLength ?? Infinity, shorter)
  for (const each of patterns) check('patternProperties', each.pattern.source, Infinity, () => '')
  return found
}

function slowness({ degree }: SlowPattern, place: string, remedy: string): string {
  if (degree === Infinity) return `${place} takes exponential time: a short text can stop the server`
  // One sentence for all, because a report counts equal ones.
  if (degree === undefined)
    return `the pattern takes too long to check for backtracking: simplify it${remedy}`
  const power = powers[degree] ?? `power ${degree}`
  return `${place} takes time that grows with ${power} of the length: simplify it${remedy}`
}

const powers: Readonly<Record<number, string>> = { 2: 'the square', 3: 'the cube' }

/** CPU time in milliseconds that the checks of one compilation may use together. */
const budget = 10_000

/** Steps that a pattern may take for one text: at about 3 ns each, 30 ms. */
const maxSteps = 10_000_000

/** Longest pattern that is analysed, in characters: recheck takes many seconds for 10,000, whatever its time-out. */
const maxAnalysed = 5_000

/** Lengths to recommend. */
const lengths = Array.from({ length: 21 }, (_, index) => 2 ** index)

/** Counts and degree of a pattern that was not checked: the same for all, because a report counts equal sentences. */
const unchecked = [[Infinity], 3] as const

/** Degrees by expression, for the views of a contract and the compilations of a process. */
const known = new Map<string, number | undefined>()

interface SlowPattern {
  /** 2 for quadratic time and so on, Infinity for exponential time; undefined for a pattern that was not checked. */
  readonly degree: number | undefined
  /** Length of texts that bounds the time, unless that is exponential. */
  readonly maxLength: number
}

/** Checks the patterns of one compilation. */
export class PatternChecks {
  readonly #isOff: boolean
  #left: number

  /** @param milliseconds 0: no pattern is checked, which is slow where a contract is read to be tried */
  constructor(milliseconds = budget) {
    this.#isOff = milliseconds === 0
    this.#left = milliseconds
  }

  /** @param source a valid regular expression, for texts of at most `maxLength` characters */
  slow(source: string, maxLength: number): SlowPattern | undefined {
    if (this.#isOff) return undefined
    const { counts, hasGroup } = repetitionsOf(source)
    if (!hasGroup && (counts.length < 2 || !isSlow(counts, counts.length, maxLength))) return undefined
    const degree = this.#degree(simplified(source), pattern(source).flags)
    if (degree === Infinity) return { degree, maxLength: 0 }
    const [sizes, power] = degree === undefined ? unchecked : [counts, degree]
    if (power === 1 || !isSlow(sizes, power, maxLength)) return undefined
    return { degree, maxLength: Math.max(...lengths.filter((length) => !isSlow(sizes, power, length))) }
  }

  #degree(source: string, flags: string): number | undefined {
    if (known.has(source) || this.#left <= 0 || source.length > maxAnalysed) return known.get(source)
    const start = cpuTime()
    known.set(source, degreeOf(source, flags))
    this.#left -= cpuTime() - start
    return known.get(source)
  }
}

/** Multiplies the largest counts, of which none is larger than the text; in a repeated group one counts often. */
function isSlow(counts: readonly number[], degree: number, length: number): boolean {
  const sizes = counts.map((count) => Math.min(count, length)).sort((a, b) => b - a)
  const largest = Math.max(1, ...sizes)
  const factors = Array.from({ length: degree }, (_, index) => sizes[index] ?? largest)
  return factors.reduce((product, size) => product * size, 1) > maxSteps
}

/** A repetition, which decides with others how long an expression backtracks. */
interface Repetition {
  readonly isGroup: boolean
  readonly min: number
  readonly max: number
}

/** Matches a character class, an escape, or a repetition together with the end of its group. */
const token =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[upP]\{[^}]*\}|.)|(?<end>\)?)(?<count>[*+]|\{(?<min>\d+)(?:,(?<max>\d*))?\})/gs

/** Counts beyond which a repetition is as slow as without a bound: a group may match 20 times in 2 ** 20 ways. */
const small = { group: 20, character: 3 }

/**
 * @param source a valid regular expression
 * @returns the largest count of each repetition that may end early, one more for the search of an expression without
 *   `^`, and whether a group repeats: its parts may match a text in many ways
 */
function repetitionsOf(source: string) {
  const all: Repetition[] = []
  replaced(source, (repetition, text) => {
    all.push(repetition)
    return text
  })
  const counts = all.filter(({ min, max }) => min < max).map(({ max }) => max)
  // A reference to a group repeats what the group has matched.
  const others = Number(/\\[1-9k]/.test(source)) + Number(!/^\^[^|]*$/.test(source.replaceAll(token, '')))
  const hasGroup = all.some(({ isGroup }) => isGroup)
  return { counts: [...counts, ...Array<number>(others).fill(Infinity)], hasGroup }
}

/**
 * Returns an expression that backtracks in the same way and is faster to analyse: large counts become short where they
 * are exact, otherwise unbounded, and groups lose their flags.
 */
function simplified(source: string): string {
  const simple = replaced(source, ({ isGroup, min, max }, text) => {
    if (max <= (isGroup ? small.group : small.character)) return text
    if (min === max && !isGroup) return `{${small.character}}`
    return `${isGroup ? ')' : ''}${min === 0 ? '*' : '+'}`
  })
  return simple.replaceAll(/\(\?[ims-]+:/g, '(?:')
}

function replaced(source: string, replacement: (repetition: Repetition, text: string) => string): string {
  return source.replaceAll(token, (text, ...rest) => {
    const { end, count, min, max = min } = rest.at(-1) as Record<string, string | undefined>
    if (count === undefined) return text
    const least = min ?? (count === '*' ? 0 : 1)
    return replacement({ isGroup: end === ')', min: Number(least), max: Number(max || Infinity) }, text)
  })
}

type Recheck = Pick<typeof import('recheck'), 'checkSync'>

/** Clock of the check that runs, in milliseconds. */
let clock = cpuTime

/** Steps of trials that count as a millisecond of CPU time: they take about two. */
const stepsPerMillisecond = 500

/**
 * Limits of one check, none of them in time on the clock: the time-out, in milliseconds, counts the CPU time of an
 * analysis, and the steps of trials. So an answer does not depend on the load of the machine, and by trial, for
 * assertions and references, not on its speed: trials take long.
 */
const limits: Parameters = {
  timeout: 2000,
  attackTimeout: null,
  attackLimit: 10_000_000,
  incubationTimeout: null,
  incubationLimit: 10_000,
  maxIteration: 5,
  logger(message) {
    if (!message.startsWith('fuzz: start')) return
    let steps = cpuTime() * stepsPerMillisecond
    clock = () => steps++ / stepsPerMillisecond
  }
}

let recheck: Recheck | undefined

/** @returns the degree of polynomial time, Infinity for exponential time; undefined without an answer */
export function degreeOf(source: string, flags: string): number | undefined {
  recheck ??= load()
  clock = cpuTime
  try {
    const found = recheck.checkSync(source, flags, limits)
    if (found.status === 'unknown') return undefined
    if (found.complexity.type === 'exponential') return Infinity
    return found.complexity.type === 'polynomial' ? found.complexity.degree : 1
  } catch {
    return undefined // a RangeError: the pattern is nested too deeply
  }
}

/** Returns the CPU time of this thread in milliseconds. */
export function cpuTime(): number {
  const { user, system } = threadCpuUsage()
  return (user + system) / 1000
}

/** Loads the build for browsers, which starts no other process; late, because that takes longer than a small contract. */
function load(): Recheck {
  const path = createRequire(import.meta.url).resolve('recheck/lib/browser.js')
  const module = {} as { readonly exports: Recheck }
  compileFunction(readFileSync(path, 'utf8'), ['module', 'performance'])(module, { now: () => clock() })
  return module.exports
}
