/**
 * Languages of patterns as automata (refa). They read texts between two marks, which stand for `^` and `$`. The marks
 * are surrogates, which no text in UTF-8 holds.
 */
import {
  type Assertion,
  CharSet,
  type Concatenation,
  DFA,
  type Element,
  FAIterators,
  isDisjointWith,
  JS,
  NFA,
  type NoParent,
  transform,
  Words
} from 'refa'
import { translatePattern } from '../../compile/documents.ts'

/** Automata of the texts that match, and of all others; each is made when it is asked for. */
export interface Language {
  readonly accepted: () => NFA
  readonly refused: () => NFA
}

/** Most states of an automaton: counted, not timed, so that a report is the same on every machine. */
const maxStates = 5_000
/** Fewer for deterministic ones, because each state may have an edge for every range of characters. */
const maxDeterministicStates = 2_000
/** Greatest length that is counted; a greater bound is taken for none. */
const maxLength = 1_000

const maxCharacter = 0x10ffff
const marks = { behind: 0xd800, ahead: 0xdfff }
const characters = CharSet.all(maxCharacter).without({ min: marks.behind, max: marks.ahead })
const markOf = (kind: Assertion['kind']): NoParent<Element> => ({
  type: 'CharacterClass',
  characters: CharSet.fromCharacter(maxCharacter, marks[kind])
})

const parsed = (source: string) =>
  JS.Parser.fromLiteral({ source, flags: 'u' }, { ecmaVersion: 2024 }).parse({ maxBackreferenceWords: 0 })
    .expression

const sequence = (...elements: NoParent<Element>[]): NoParent<Concatenation> => ({
  type: 'Concatenation',
  elements
})

const automatonOf = (...alternatives: NoParent<Concatenation>[]): NFA =>
  NFA.fromRegex(alternatives, { maxCharacter }, {}, new NFA.LimitedNodeFactory(maxStates))

export const intersection = (a: NFA, b: NFA): NFA =>
  NFA.fromIntersection(a, b, new NFA.LimitedNodeFactory(maxStates))

function complement(automaton: NFA): NFA {
  const nodes = new DFA.LimitedNodeFactory(maxDeterministicStates)
  const found = DFA.fromFA(automaton, nodes)
  found.complement(nodes)
  return NFA.fromFA(found)
}

/** Returns the automaton of all texts of some lengths. */
export function textsOfLength(least: number, most: number): NFA {
  const limit = most > maxLength ? '' : most
  const { alternatives } = parsed(`\\ud800[^\\ud800-\\udfff]{${Math.min(least, maxLength)},${limit}}\\udfff`)
  return automatonOf(...alternatives)
}

/** Returns one of the shortest texts that an automaton accepts. */
export function shortestText(automaton: NFA): string | undefined {
  const sets = FAIterators.shortestWordSet(automaton.transitionIterator())
  return sets && Words.fromUnicodeToString(Words.pickMostReadableWord(sets.slice(1, -1)))
}

/**
 * Returns languages whose intersection are the texts that match: three for `^(?=a)(?!b)c`, because refa has no
 * automata of lookaheads.
 * @throws for constructs that are not regular, and for too many states
 */
export function languagesOf(pattern: string): Language[] {
  const { alternatives } = marked(unicodeSource(translatePattern(pattern) ?? '('))
  const [[first, ...others] = []] = alternatives.map(({ elements }) => elements)
  if (first?.type !== 'CharacterClass' || !first.characters.has(marks.behind) || alternatives.length > 1)
    return [languageOf(...alternatives)]
  const next = others.findIndex((element) => !isLookahead(element))
  const leading = others.slice(0, next < 0 ? others.length : next)
  const rest = languageOf(sequence(first, ...others.slice(leading.length)))
  return [rest, ...leading.filter(isLookahead).map((each) => lookahead(first, each))]
}

const isLookahead = (element: NoParent<Element>): element is NoParent<Assertion> =>
  element.type === 'Assertion' && element.kind === 'ahead'

function lookahead(first: NoParent<Element>, { alternatives, negate }: NoParent<Assertion>): Language {
  const found = languageOf(...alternatives.map(({ elements }) => sequence(first, ...elements)))
  return negate ? { accepted: found.refused, refused: found.accepted } : found
}

/** Parses a pattern with marks in place of `^` and `$`. */
function marked(source: string) {
  const replaced = (element: NoParent<Element>) =>
    element.type === 'Assertion' && isAnchor(element) ? markOf(element.kind) : element
  return transform(
    {
      onCharacterClass(node) {
        node.characters = node.characters.intersect(characters)
      },
      onConcatenation(node) {
        node.elements = node.elements.map(replaced)
      }
    },
    parsed(source),
    { maxPasses: 1 }
  )
}

/** Recognises `^` and `$`, which are parsed as `(?<![^])` and `(?![^])`. */
function isAnchor({ negate, alternatives }: NoParent<Assertion>): boolean {
  const [[only, ...others] = []] = alternatives.map(({ elements }) => elements)
  return (
    negate &&
    only?.type === 'CharacterClass' &&
    only.characters.equals(characters) &&
    others.length + alternatives.length === 1
  )
}

const anything: NoParent<Element> = { type: 'Alternation', alternatives: parsed('[^]*').alternatives }
/** Marks that no text has in this order, though `^^`, `$$` and `$^` can match. */
const impossible = automatonOf(...parsed('[^]*(?:\\ud800\\ud800|\\udfff[\\udfff\\ud800])[^]*').alternatives)

function languageOf(...alternatives: NoParent<Concatenation>[]): Language {
  if (!isDisjointWith(automatonOf(...alternatives), impossible)) throw new Error('Anchors repeat.')
  // Patterns are not anchored: any text may precede and follow a match (JSON Schema Validation 2020-12, 6.3.3).
  const automaton = automatonOf(sequence(anything, { type: 'Alternation', alternatives }, anything))
  let others: NFA | undefined
  return { accepted: () => automaton, refused: () => (others ??= complement(automaton)) }
}

/** Writes escapes that only the grammar without the flag `u` has in the way that both have: `\-`. */
const unicodeSource = (source: string): string =>
  source.replaceAll(/\\([\s\S])/g, (written, escaped: string) =>
    /[^\p{L}\p{N}^$\\.*+?()[\]{}|/]/u.test(escaped)
      ? `\\u{${Number(escaped.codePointAt(0)).toString(16)}}`
      : written
  )
