/**
 * Texts that match several patterns at once: those of a schema, of its format and of its lengths. The characters are
 * chosen one by one, and those that lead nowhere are taken back.
 */
import fc from 'fast-check'
import { Expressions, type Node, never } from './expressions.ts'
import type { Limits } from './members.ts'

/** Characters between which all patterns make no difference, each repeated by its likelihood. */
type Characters = readonly string[]

/** Largest least length. */
const maxLength = 2_000
/** Number of texts that are not found in a row, after which no further one is sought. */
const maxFailures = 5
/** Numbers of characters that a text may have beyond the least, tried in turn: the shortest texts are the plainest. */
const further = [10, 30, 100, 300]

/** Writes the texts of an expression. */
class Writing {
  readonly #node: Node
  readonly #alphabet: readonly Characters[]
  readonly #dead = new Set<Node>()

  constructor(node: Node, sets: ReadonlyMap<string, RegExp>, isPlain: boolean) {
    this.#node = node
    this.#alphabet = alphabetOf(sets, isPlain)
  }

  /**
   * @param wanted number of characters after which a text may end
   * @returns undefined when there is none, or none is found in time
   */
  text(random: fc.Random, wanted: number): string | undefined {
    const written: string[] = []
    const write = (node: Node): boolean => {
      if (this.#dead.has(node)) return false
      if (node.isEnd && written.length >= wanted) return true
      for (const index of this.#order(random)) {
        const characters = this.#alphabet[index] ?? []
        const next = node.after(String(characters[0]))
        if (next === never) continue
        written.push(String(characters[random.nextInt(0, characters.length - 1)]))
        if (write(next)) return true
        written.pop()
      }
      if (!node.isEnd) this.#dead.add(node)
      return node.isEnd
    }
    return write(this.#node) ? written.join('') : undefined
  }

  /** Orders the kinds of characters by chance, likely ones first. */
  #order(random: fc.Random): readonly number[] {
    const keys = this.#alphabet.map(({ length }) => random.nextDouble() ** (1 / length))
    return [...keys.keys()].sort((a, b) => Number(keys[b]) - Number(keys[a]))
  }
}

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index))
const others = ['\t', '\n', 'é', 'Ω', 'ж', '中', '😀']

/** Groups the characters by the sets to which they belong. */
function alphabetOf(sets: ReadonlyMap<string, RegExp>, isPlain: boolean): readonly Characters[] {
  const source = [...sets.keys()].join('')
  const escaped = [...source.matchAll(/\\(?:u\{([^}]*)\}|[ux]([\da-f]{2,4}))/gi)].map(([, long, short]) =>
    String.fromCodePoint(Number.parseInt(String(long ?? short), 16))
  )
  const groups = new Map<string, string[]>()
  for (const character of new Set([...ascii, ...others, ...source, ...escaped])) {
    const key = [...sets.values()].map((set) => Number(set.test(character))).join('')
    const repeated = Array<string>(isPlain ? likelihood(character) : 1).fill(character)
    groups.set(key, [...(groups.get(key) ?? []), ...repeated])
  }
  return [...groups.values()]
}

/** Rates how often a person would write a character. */
function likelihood(character: string): number {
  if (/[a-z]/.test(character)) return 200
  if (/\d/.test(character)) return 25
  return /[A-Z]/.test(character) ? 6 : 1
}

/** Writings by patterns, lengths and style: the same texts are made again and again. */
const writings = new Map<string, Writing>()

/** Makes texts that match all of the patterns; the empty text when none is found. */
export class MatchingTexts extends fc.Arbitrary<string> {
  readonly #sources: readonly string[]
  readonly #lengths: Limits
  readonly #isPlain: boolean
  readonly #onExhausted: () => void
  #hasFound = false
  #failures = 0

  /**
   * @param sources patterns with the flag `u`
   * @param onExhausted throws when no further text is found
   */
  constructor(sources: readonly string[], lengths: Limits, isPlain: boolean, onExhausted: () => void) {
    super()
    this.#sources = sources
    this.#lengths = lengths
    this.#isPlain = isPlain
    this.#onExhausted = onExhausted
  }

  override generate(random: fc.Random): fc.Value<string> {
    const text = this.#failures > maxFailures ? undefined : this.#text(random)
    if (text === undefined) this.#failures++
    else [this.#failures, this.#hasFound] = [0, true]
    // Without an end, a filter would wait for the next text forever.
    if (this.#hasFound && this.#failures > maxFailures) this.#onExhausted()
    return new fc.Value(text ?? '', undefined)
  }

  #text(random: fc.Random): string | undefined {
    const { least, most } = this.#lengths
    if (least > maxLength) return undefined
    const wanted = Math.min(most, least + random.nextInt(3, 10))
    const limits = new Set(further.map((each) => Math.min(most, least + each)))
    for (const limit of limits) {
      const text = this.#upTo(limit, random).text(random, wanted)
      if (text !== undefined) return text
    }
    // Its derivatives may be used up.
    if (this.#hasFound) for (const limit of limits) writings.delete(this.#keyOf(limit))
    return undefined
  }

  #keyOf(most: number): string {
    return JSON.stringify([this.#sources, this.#lengths.least, most, this.#isPlain])
  }

  #upTo(most: number, random: fc.Random): Writing {
    const known = writings.get(this.#keyOf(most))
    if (known !== undefined) return known
    const sampleText = (node: Node) =>
      new Writing(node, expressions.sets, this.#isPlain).text(random, 1) ?? ''
    const expressions: Expressions = new Expressions(sampleText)
    const patterns = this.#sources.map((source) => expressions.ofPattern(source))
    const all = expressions.and([expressions.ofLength(this.#lengths.least, most), ...patterns])
    const writing = new Writing(all, expressions.sets, this.#isPlain)
    if (!expressions.hasReferences) writings.set(this.#keyOf(most), writing)
    return writing
  }

  override canShrinkWithoutContext(_value: unknown): _value is string {
    return false
  }

  override shrink(): fc.Stream<fc.Value<string>> {
    return fc.Stream.nil()
  }
}
