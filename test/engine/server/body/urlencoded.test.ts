import t from 'tap'
import type { FieldSpec } from '../../../../src/engine/model/parameter.ts'
import { urlencodedForm } from '../../../../src/engine/server/body/form.ts'
import { cpuGrowth } from '../../../cpu-time.ts'

const content = { mediaType: 'application/x-www-form-urlencoded', kind: 'form' } as const
const form = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join('&')

t.test('a form has at most a thousand fields', async (t) => {
  const { read, specs } = urlencodedForm(form(1000), content)
  t.equal(Object.keys(read(specs)).length, 1000)
  t.throws(() => urlencodedForm(form(1001), content), { message: 'the body has more than 1000 fields' })
})

t.test('more fields are refused before they are parsed, and what is empty is no field', async (t) => {
  const refused = (count: number) => {
    const text = form(count)
    return () => t.throws(() => urlencodedForm(text, content), { message: /more than 1000 fields/ })
  }
  t.ok(cpuGrowth(50, refused(2_000), refused(100_000)) < 0.5, 'the rest costs nothing')
  const { read, specs } = urlencodedForm(`&&${form(2)}&&&a2=1${'&'.repeat(100_000)}`, content)
  t.same(read(specs), { a0: '1', a1: '1', a2: '1' })
})

const metaField = {
  name: 'meta',
  key: 'meta',
  in: 'query',
  required: false,
  style: 'form',
  explode: true
} as const

t.test('an undeclared field has the schema of the form if a form and an object allow any name', async (t) => {
  const meta: FieldSpec = {
    ...metaField,
    shape: { types: [], properties: { a: { types: ['string'] } }, additional: { types: ['string'] } }
  }
  const additional: FieldSpec = { ...metaField, shape: { types: ['integer'] } }
  const { read, specs } = urlencodedForm('b=2', { ...content, fields: [meta], additional })
  t.same(read(specs), { b: 2 })
})

t.test('the members of an exploded object are declared fields', async (t) => {
  const meta: FieldSpec = {
    ...metaField,
    shape: { types: [], properties: { a: { types: ['string'] } } }
  }
  const { read, specs } = urlencodedForm('a=x&b=2&meta[a]=y', { ...content, fields: [meta] })
  t.same(read(specs), { meta: { a: 'x' }, b: '2', 'meta[a]': 'y' })
})
