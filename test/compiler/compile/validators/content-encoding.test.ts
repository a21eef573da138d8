import t from 'tap'
import { type Json, request, serve, taking } from '../../../contract/serve.ts'

const encoded = (contentEncoding: string): Json => ({ type: 'string', contentEncoding })
const names = ['base64', 'Base64', 'base64url', 'base32', 'base16', 'binary', 'quoted-printable']
const document: Json = {
  paths: Object.fromEntries(names.map((name) => [`/${name}`, taking(name, encoded(name))]))
}
const handlers = Object.fromEntries(names.map((name) => [name, () => ({ status: 200, body: 1 })]))

t.test('a text that is not in its contentEncoding is refused', async (t) => {
  const { ask } = await serve(t, document, { handlers })
  const rows: [name: string, text: string, isValid: boolean][] = [
    ['base64', 'aGk=', true],
    ['base64', '', true],
    ['base64', '???', false],
    ['Base64', '???', false],
    ['base64url', '_-a', true],
    ['base64url', '+/', false],
    ['base32', 'NBUQ====', true],
    ['base32', 'nbuq', false],
    ['base16', '00fF', true],
    ['base16', '00f', false],
    ['binary', '???', true],
    ['quoted-printable', '???', true]
  ]
  for (const [name, text, isValid] of rows) {
    const { status } = await ask(request(`POST /${name}`, JSON.stringify(text)))
    t.equal(status, isValid ? 200 : 400, `${name} ${text}`)
  }
})
