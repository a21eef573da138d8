/** Forms have at most a thousand fields. */
import t from 'tap'
import { urlencodedForm } from '../../../../src/contract/server/body/urlencoded.ts'

const content = { mediaType: 'application/x-www-form-urlencoded', kind: 'form' } as const
const form = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join('&')

const { read, specs } = urlencodedForm(form(1000), content)
t.equal(Object.keys(read(specs)).length, 1000)
t.throws(() => urlencodedForm(form(1001), content), { message: 'the body has more than 1000 fields' })
