/** The functions of the formats. compile/validators/keywords has their texts. */
import t from 'tap'
import * as formats from '../../../src/engine/runtime/formats.ts'
import { formatRows } from '../../compiler/compile/validators/keywords/tables.ts'

t.test('a format returns true or false for every text', async (t) => {
  const texts = [
    '',
    ' ',
    '\0',
    '%',
    '[',
    'a@[IPv6::]',
    'http://[v1.a]',
    '\ud800',
    'xn--\ud800',
    '9'.repeat(400)
  ]
  for (const [name, check] of Object.entries(formats))
    for (const text of texts)
      t.type(check(text), 'boolean', `${name} of ${JSON.stringify(text.slice(0, 20))}`)
})

t.test('each function takes and refuses the texts of its grammar', async (t) => {
  const checks: Readonly<Record<string, (text: string) => boolean>> = formats
  for (const { format, takes, refuses } of formatRows) {
    const check = checks[format.replaceAll('-', '_')]
    if (check === undefined) continue
    for (const text of takes) t.equal(check(text), true, `${format} takes ${text}`)
    for (const text of refuses) t.equal(check(text), false, `${format} refuses ${text}`)
  }
})
