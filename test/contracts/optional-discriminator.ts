import type { Exchange } from './exchange.ts'

const empty = { plain: { name: 'a' }, standard: { size: 1 }, hidden: { a: 1 }, nested: { list: [] } }
type Path = keyof typeof empty

const post = (path: Path, body: unknown, want: 200 | 400, message?: string): Exchange => ({
  send: `POST /${path}`,
  body,
  answer: { status: 200, body: path === 'hidden' ? { type: 'A', a: 1 } : empty[path] },
  want,
  ...(message === undefined ? {} : { message })
})
const answers = (path: Path, body: unknown, want: 200 | 500): Exchange => ({
  send: `POST /${path}`,
  body: empty[path],
  answer: { status: 200, body },
  want,
  ...(want === 200 ? { got: body } : {})
})

export default [
  post('plain', { name: 'a' }, 200),
  post('plain', { secret: 1 }, 200),
  post('plain', {}, 400, 'body must match exactly one'),
  post('plain', { view: 'public', name: 'a' }, 200),
  post('plain', { view: 'private', secret: 1 }, 200),
  post('plain', { view: 'public', secret: 1 }, 400, 'body/name is required'),
  post('plain', { view: 'private', name: 'a' }, 400, 'body/secret is required'),
  post('plain', { view: 'else', name: 'a' }, 400, 'body/view must be one of'),
  answers('plain', { name: 'a' }, 200),
  answers('plain', { view: 'private', secret: 1 }, 200),
  answers('plain', { view: 'private', name: 'a' }, 500),
  answers('plain', { view: 'else', name: 'a' }, 500),
  answers('plain', {}, 500),
  post('standard', { size: 1 }, 200),
  post('standard', { kind: 'else', size: 1 }, 200),
  post('standard', { kind: 'Other', size: 1 }, 200),
  post('standard', { kind: 'Cat', lives: 9 }, 200),
  post('standard', { kind: 'Cat', size: 1 }, 400, 'body/lives is required'),
  post('standard', { kind: 'else', lives: 9 }, 400, 'body/size is required'),
  post('standard', { lives: 9 }, 400, 'body/size is required'),
  post('standard', { kind: 1, size: 1 }, 400, 'body/kind must be string'),
  answers('standard', { kind: 'else', size: 1 }, 200),
  answers('standard', { kind: 'else', lives: 9 }, 500),
  answers('standard', { lives: 9 }, 500),
  post('hidden', { a: 1 }, 200),
  post('hidden', { b: 1 }, 200),
  post('hidden', {}, 400, 'body must match exactly one'),
  post('hidden', { type: 'A', a: 1 }, 400, 'body/type is read-only'),
  answers('hidden', { type: 'B', b: 1 }, 200),
  answers('hidden', { type: 'B', a: 1 }, 500),
  answers('hidden', { a: 1 }, 500),
  post(
    'nested',
    {
      list: [
        { name: 'a', extra: true },
        { view: 'private', secret: 1 }
      ]
    },
    200
  ),
  post('nested', { list: [{ view: 'private', name: 'a' }] }, 400, 'body/list/0/secret is required'),
  answers('nested', { list: [{ secret: 1 }] }, 200),
  answers('nested', { list: [{ view: 'public', secret: 1 }] }, 500)
] satisfies Exchange[]
