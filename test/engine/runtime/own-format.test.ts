/** Formats that a project defines; they are recognised, also those of another copy of the engine. */
import t from 'tap'
import { isFormat } from '../../../src/engine/model/own-format.ts'
import { defineFormat } from '../../../src/engine/runtime/own-format.ts'
import { sleep } from '../../time.ts'

t.test('a format is what defineFormat returns', async (t) => {
  t.ok(isFormat(defineFormat('money', { check: () => true })))
  for (const other of [undefined, null, 1, {}, { name: 'money', check: () => true }]) t.notOk(isFormat(other))
})

t.test('a format has its name and its check', async (t) => {
  const format = defineFormat('money', { check: (text) => text === '1' })
  t.match(format, { name: 'money' })
  t.ok(format.check('1'))
  t.throws(() => defineFormat(1 as never, { check: () => true }), /a format needs a name/)
  t.throws(() => defineFormat('a', undefined as never), /format a lacks check, a function/)
})

t.test('a format of a class has all parts', async (t) => {
  const parts = { check: () => true, parse: (text: string) => new URL(text), stringify: String, type: URL }
  t.match(defineFormat('link', parts), { name: 'link', parse: parts.parse, type: URL })
  for (const part of ['parse', 'stringify', 'type'] as const) {
    const { [part]: _, ...others } = parts
    const kind = part === 'type' ? 'class' : 'function'
    t.throws(() => defineFormat('link', others as never), { message: `format link lacks ${part}, a ${kind}` })
  }
})

const rejected = () => Promise.reject(new Error('late'))
const open = { check: () => true, stringify: String, type: URL }
const refusing: readonly (readonly [what: string, parts: object])[] = [
  ['check returns a promise', { check: async () => true }],
  ['check rejects', { check: rejected }],
  ['check returns a match', { check: (text: string) => /a/.exec(text) }],
  ['check returns 1', { check: () => 1 }],
  ['check returns nothing', { check: () => undefined }],
  [
    'check throws',
    {
      check: () => {
        throw new Error('early')
      }
    }
  ],
  ['parse returns a promise', { check: () => true, parse: async (text: string) => text }],
  ['parse rejects', { check: () => true, parse: rejected }],
  ['parse of a class rejects', { ...open, parse: rejected }],
  ['parse gives another class', { ...open, parse: () => new Date(0) }]
]
for (const [what, parts] of refusing)
  t.test(`no text is of a format where ${what}`, async (t) => {
    t.equal(defineFormat('x', parts as never).check('a'), false)
    // The rejection that nobody handles is reported in a later turn.
    await sleep(5)
  })

for (const returned of [undefined, null, 5, new String('x'), rejected])
  t.test(`a stringify that returns ${String(returned)} throws`, async (t) => {
    const stringify = () => (returned === rejected ? rejected() : returned)
    const format = defineFormat('link', {
      ...open,
      parse: (text: string) => new URL(text),
      stringify
    } as never)
    const write = () => format.stringify?.(new URL('http://a') as never)
    t.throws(write, { name: 'TypeError', message: 'stringify of format link returned no text' })
    await sleep(5)
  })

t.test('a text that parse throws for is not of the format', async (t) => {
  const { check } = defineFormat('link', {
    check: (text) => text !== 'http://b',
    parse: (text) => new URL(text),
    stringify: String,
    type: URL
  })
  t.strictSame(['http://a', 'http://b', 'a'].map(check), [true, false, false])
})
