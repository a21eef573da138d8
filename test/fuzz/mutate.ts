/** Changes bytes at random: single bytes, and tokens of HTTP, JSON and forms. */
import type { Random } from './random.ts'

const pieces = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  '%',
  '%00',
  '%ff',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  '[]',
  ',',
  ':',
  'null',
  'true',
  '-0',
  '1e309',
  '0.1',
  '9007199254740993',
  '-9223372036854775809',
  '"\\ud800"',
  '"__proto__":1,',
  '{"a":'.repeat(50),
  '['.repeat(200),
  '--b\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Expect: 100-continue\r\n',
  'Connection: close\r\n',
  'Connection: Upgrade\r\nUpgrade: h2c\r\n',
  '0\r\n\r\n',
  'fffffffff\r\n',
  '=',
  '&',
  ';',
  '~'.repeat(100),
  'é',
  '\ufeff',
  'x'.repeat(5000)
].map((piece) => Buffer.from(piece))

/** @returns the bytes after up to four changes */
export function mutated(bytes: Buffer, random: Random): Buffer {
  let changed = bytes
  for (let change = random.below(4); change >= 0; change--) changed = once(changed, random)
  return changed
}

function once(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  const end = Math.min(bytes.length, at + random.below(16))
  const [before, cut, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
  const piece = pieces[random.below(pieces.length)] ?? cut
  const changes: readonly [Buffer[], ...Buffer[][]] = [
    [before, after],
    [before, cut, cut, after],
    [before, piece, cut, after],
    [before, piece, after],
    [before, Buffer.of(random.below(256)), after],
    [before]
  ]
  return Buffer.concat(random.of(changes))
}
