import type { Exchange } from './exchange.ts'

const post = (path: string, body: object, want: number, message?: string): Exchange => ({
  send: `POST /${path}`,
  body,
  want,
  ...(message === undefined ? {} : { message })
})

export default [
  post('named', { kind: 'square', side: 1 }, 204),
  post('named', { kind: 'square' }, 400, 'body/side is required'),
  post('named', { kind: 'circle', radius: 1 }, 204),
  post('named', { kind: 'ball' }, 400, 'body/radius is required'),
  post('named', { kind: 'heir', name: 'x', crown: 1 }, 204),
  post('named', { kind: 'heir', name: 'x' }, 400, 'body/crown is required'),
  post('named', { kind: 'heir', crown: 1 }, 400, 'body/name is required'),
  post('named', { kind: 'Square', side: 1 }, 400, 'body/kind must be one of'),
  post('inline', { kind: 'free', free: 1 }, 204),
  post('inline', { kind: 'square', side: 1 }, 204),
  post('inline', { kind: 'square' }, 400, 'body must match'),
  post('numbered', { kind: 1, one: 1 }, 204),
  post('numbered', { kind: 2, one: 1 }, 400, 'body must match'),
  post('astray', { kind: 'square', side: 1 }, 204),
  post('astray', { kind: 'gone', side: 1 }, 400, 'body must match'),
  post('otherwise', { kind: 'unheard', any: 1 }, 204),
  post('otherwise', { kind: 'square' }, 400, 'body must match')
] satisfies Exchange[]
