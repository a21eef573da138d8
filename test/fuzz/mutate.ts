/** Well-formed requests of contract.yaml, and their changes: single bytes, and tokens of HTTP, JSON and forms. */
import { request } from '../engine/serve.ts'

/** Random choices that a seed repeats (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Returns a number from 0 up to but not including 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  of<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0]
  }
}

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const parts = `${part('id', '5')}${part('node', '{"a":1}')}${part('file', 'xyz')}--b--\r\n`

type Request = readonly [first: string, body?: string, type?: string]
const requests: readonly [Request, ...Request[]] = [
  ['POST /plants', '{"id":42,"name":"Monstera","tag":"climber"}'],
  ['POST /plants', '{"id":9223372036854775807,"name":"\\u00e9"}'],
  ['POST /tree', '{"kids":[{"leaf":1},{"kids":[{"leaf":9007199254740993,"x":2}]}]}'],
  ['POST /any', '[{"leaf":1},{"leaf":2}]'],
  ['POST /forms', 'id=1&tags=a&tags=b&n=1&n=2&node=a,1', 'application/x-www-form-urlencoded'],
  ['POST /forms', parts, 'multipart/form-data; boundary=b'],
  ['GET /things/5/.1.2?filter[a]=b&filter[c]=d&list=1|2&json=%7B%22v%22:1%7D'],
  ['GET /things/9007199254740993/.7?json=%7B%22next%22:%7B%22v%22:2%7D%7D'],
  [
    'POST /formats',
    '{"date":"2026-11-21","time":"10:00:00Z","email":"a@b.c","uri":"http://a/b","ipv6":"::1"}'
  ],
  [
    'POST /formats',
    '{"url":"http://a:1/","uuid":"01234567-89ab-cdef-0123-456789abcdef","x-a":0.07,"regex":"^a+$"}'
  ]
]

const typed = (type: string | undefined) => (type === undefined ? {} : { 'Content-Type': type })

/** Returns a request of which any byte may be changed. */
export function changedRequest(random: Random): Buffer {
  const [first, body, type] = random.of(requests)
  const bytes = request(first, body, typed(type))
  return random.next() < 0.7 ? mutated(bytes, random) : bytes
}

/** Returns a well-formed request with a changed body; one without a body has its query changed. */
export function changedBody(random: Random): Buffer {
  const [first, body, type] = random.of(requests)
  if (body !== undefined) return request(first, mutated(Buffer.from(body), random), typed(type))
  const target = mutated(Buffer.from(first), random).subarray(4).toString('latin1')
  return request(`GET /${encodeURI(target).replaceAll(/[#\s]|^\//g, '')}`)
}

const pieces = [
  ...'\n\0 %"\\{}[],:=&;',
  ...['\r\n', '[]', '%00', '%ff', '~'.repeat(100), 'é', '\ufeff', 'x'.repeat(5000)],
  ...['null', 'true', '-0', '1e309', '0.1', '9007199254740993', '-9223372036854775809', '"\\ud800"'],
  ...['"__proto__":1,', '{"a":'.repeat(50), '['.repeat(200), '--b\r\n', '0\r\n\r\n', 'fffffffff\r\n'],
  ...['Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n', 'Expect: 100-continue\r\n'],
  ...['Connection: close\r\n', 'Connection: Upgrade\r\nUpgrade: h2c\r\n']
].map((piece) => Buffer.from(piece))

/** Returns the bytes after up to four changes. */
function mutated(bytes: Buffer, random: Random): Buffer {
  let changed = bytes
  for (let change = random.below(4); change >= 0; change--) {
    const at = random.below(changed.length + 1)
    const end = Math.min(changed.length, at + random.below(16))
    const [before, cut, after] = [changed.subarray(0, at), changed.subarray(at, end), changed.subarray(end)]
    const piece = pieces[random.below(pieces.length)] ?? cut
    const inserted = random.of([[], [cut, cut], [piece, cut], [piece], [Buffer.of(random.below(256))]])
    changed = Buffer.concat(random.below(6) === 0 ? [before] : [before, ...inserted, after])
  }
  return changed
}
