/**
 * A-labels: labels of host names that stand for labels of other alphabets (RFC 5890, section 2.3.2.1). The label that
 * one stands for is checked by the rules of RFC 5891 and RFC 5892, but not for its direction (RFC 5893), and its letters
 * join or not by their script.
 */

/** @param label a label with the prefix `xn--` in any letter case */
export function isALabel(label: string): boolean {
  const points = punycode(label.slice(4).toLowerCase())
  return points !== undefined && isULabel(String.fromCodePoint(...points))
}

/** Parameters of Punycode (RFC 3492, section 5). */
const base = 36
const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
const [letters, numerals] = [26, 10]

/**
 * Decodes Punycode (RFC 3492, section 6.2).
 * @returns code points; undefined for a text that is malformed or exceeds Unicode
 */
function punycode(text: string): number[] | undefined {
  const end = text.lastIndexOf('-')
  const points = [...text.slice(0, Math.max(0, end))].map((character) => character.charCodeAt(0))
  let [point, index, bias] = [128, 0, 72]
  for (let at = end + 1; at < text.length; ) {
    const start = index
    for (let [weight, place] = [1, base]; ; place += base, at++) {
      const digit = digitOf(text.charAt(at))
      if (digit === undefined) return undefined
      index += digit * weight
      const threshold = Math.min(letters, Math.max(1, place - bias))
      if (digit < threshold) break
      weight *= base - threshold
    }
    at++
    bias = adapted(index - start, points.length + 1, start === 0)
    point += Math.floor(index / (points.length + 1))
    if (point > 0x10ffff) return undefined
    index %= points.length + 1
    points.splice(index++, 0, point)
  }
  return points
}

/** Letters are the digits from 0 to 25, numerals those from 26 to 35. */
function digitOf(character: string): number | undefined {
  const place = digits.indexOf(character)
  if (character === '' || place < 0) return undefined
  return place < numerals ? place + letters : place - numerals
}

/** Adapts the bias (RFC 3492, section 6.1). */
function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / count)
  let bias = 0
  for (; rest > 455; bias += base) rest = Math.floor(rest / 35)
  return bias + Math.floor((base * rest) / (rest + 38))
}

/** Letters and digits, and the exceptions (RFC 5892, sections 2.1 to 2.10); the text is normalised. */
const permitted =
  /^(?:[ßς\u06FD\u06FE\u0F0B\u3007a-z\d-]|(?![\u302E-\u3035])(?![\u20D0-\u20FF])(?![\u0640\u07FA\u303B\u13F8-\u13FD\uAB70-\uABBF\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7FB\u{1D100}-\u{1D24F}])(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{Nd}\p{Mn}\p{Mc}])$/u

/** Signs that end a syllable without a vowel (canonical combining class 9). */
const virama =
  /[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u0E3A\u0EBA\u0F84\u1039\u103A\u1714\u1715\u1734\u17D2\u1A60\u1B44\u1BAA\u1BAB\u1BF2\u1BF3\u2D7F\uA806\uA82C\uA8C4\uA953\uA9C0\uAAF6\uABED\u{10A3F}\u{11046}\u{1107F}\u{110B9}\u{11133}\u{11134}\u{111C0}\u{11235}\u{112EA}\u{1134D}\u{11442}\u{114C2}\u{115BF}\u{1163F}\u{116B6}\u{1172B}\u{11839}\u{119E0}\u{11A34}\u{11A47}\u{11A99}\u{11C3F}\u{11D44}\u{11D45}\u{11D97}]$/u
const joining = String.raw`(?=\p{L})[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Phag}\p{sc=Mand}\p{sc=Adlm}]`
const endsJoining = new RegExp(String.raw`${joining}\p{Mn}*$`, 'u')
const startsJoining = new RegExp(String.raw`^\p{Mn}*${joining}`, 'u')

/** Rules of characters that depend on others (RFC 5892, appendix A): the text before and after them. */
const contextual: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  '\u200C': (before, after) => virama.test(before) || (endsJoining.test(before) && startsJoining.test(after)),
  '\u200D': (before) => virama.test(before),
  '\u00B7': (before, after) => before.endsWith('l') && after.startsWith('l'),
  '\u0375': (_before, after) => /^\p{sc=Grek}/u.test(after),
  '\u05F3': (before) => /\p{sc=Hebr}$/u.test(before),
  '\u05F4': (before) => /\p{sc=Hebr}$/u.test(before),
  '\u30FB': (before, after) => /[\p{sc=Hira}\p{sc=Kana}\p{sc=Hani}]/u.test(before + after)
}

/** Checks a U-label (RFC 5891, section 4.2): normalised, without hyphens and marks where they must not be. */
function isULabel(label: string): boolean {
  if (/^[\0-\x7f]*$|^-|-$|^..--|^\p{M}/u.test(label) || !isStable(label) || !isOneWay(label)) return false
  return [...label].every((character, index, characters) => {
    const rule = contextual[character]
    if (rule === undefined) return permitted.test(character)
    return rule(characters.slice(0, index).join(''), characters.slice(index + 1).join(''))
  })
}

/** Refuses compatibility forms and letter cases that folding changes (RFC 5892, section 2.2); that of Cherokee makes capitals. */
function isStable(label: string): boolean {
  const compared = label.replaceAll(/[ßςı\u13A0-\u13F5\u200C\u200D]/g, '\u3007') // composes with no mark
  const folded = [...compared.normalize('NFKC')].map((character) => character.toUpperCase().toLowerCase())
  return label.normalize('NFC') === label && folded.join('').normalize('NFKC') === compared
}

/** Letters and digits that are written from right to left. */
const leftward =
  /^(?:[\u0660-\u0669]|(?=[\u0590-\u08FF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}])[\p{L}\u07C0-\u07C9])$/u

/**
 * Refuses labels in two directions, and Arabic digits beside others (RFC 5893, section 2; RFC 5892, appendices A.8 and
 * A.9).
 */
function isOneWay(label: string): boolean {
  const letters = label.match(/[\p{L}\u0660-\u0669\u07C0-\u07C9]/gu) ?? []
  if (!letters.some((letter) => leftward.test(letter))) return true
  const isMixed = /[\u0660-\u0669]/.test(label) && /[\d\u06F0-\u06F9]/.test(label)
  return /^[\p{L}\u07C0-\u07C9]/u.test(label) && !isMixed && letters.every((letter) => leftward.test(letter))
}
