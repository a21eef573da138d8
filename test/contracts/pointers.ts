import type { Exchange } from './exchange.ts'

const post = (body: object, want: number, message?: string): Exchange => ({
  send: 'POST /things',
  body,
  want,
  ...(message === undefined ? {} : { message })
})

const names = {
  slash: 'slash',
  slashEncoded: 'slash',
  slashAsOctet: 'slash',
  tilde: 'tilde',
  tildeOne: 'tilde one',
  percent: 'percent',
  percentRaw: 'percent',
  percentB: 'percent b',
  octet: 'octet',
  space: 'space',
  spaceRaw: 'space',
  umlaut: 'umlaut',
  umlautRaw: 'umlaut',
  letter: 'letter',
  anchored: 'anchored'
}

export default [
  post(names, 204),
  ...Object.keys(names).map((name) => post({ [name]: 'wrong' }, 400, `body/${name} must be`)),
  post({ shape: 'octet' }, 204),
  post({ shape: 'wrong' }, 400),
  post({ tagged: { kind: 'both', lives: 9 } }, 204),
  post({ tagged: { kind: 'half', share: 5 } }, 204),
  post({ tagged: { kind: 'both', share: 5 } }, 400, 'body/tagged/lives is required'),
  post({ implied: { kind: 'cat/dog', lives: 9 } }, 204),
  post({ implied: { kind: '50%', share: 5 } }, 204),
  post({ implied: { kind: 'cat/dog', share: 5 } }, 400, 'body/implied/lives is required'),
  post({ implied: { kind: 'cat~1dog', lives: 9 } }, 400, 'body/implied/kind must be one of')
] satisfies Exchange[]
