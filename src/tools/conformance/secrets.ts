/** The given credentials, which no report shows: in their place stands what a shell expands to them. */
import type { SecurityScheme } from '@contract-first/engine/model'

export interface GivenCredentials {
  readonly token?: string | undefined
  /** Headers by name; sent with every request, except credentials that a request leaves out. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

interface Secret {
  readonly text: string
  /** Expression of a POSIX shell for within double quotes: `$TOKEN`. */
  readonly shell: string
  /** True for a text that is left where it is a part of a word. */
  readonly isWord?: boolean
}

/** Shortest text that is searched for: shorter ones occur by chance. */
const minLength = 4

/** Shortest half of a credential that is searched for within words, too: shorter ones are a part of many words. */
const minHalf = 16

/** Names of headers that carry a credential, whatever the contract declares. */
const secretName = /auth|cookie|token|key|secret|session|password|credential|signature/i

export class Secrets {
  readonly #secrets: readonly Secret[]

  constructor(
    { token, headers = {} }: GivenCredentials,
    schemes: Readonly<Record<string, SecurityScheme>> = {}
  ) {
    const declared = new Set(
      Object.values(schemes).flatMap((scheme) =>
        scheme.type === 'apiKey' ? [scheme.name.toLowerCase()] : []
      )
    )
    const given = Object.entries(headers).filter(
      ([name]) => secretName.test(name) || declared.has(name.toLowerCase())
    )
    const all = [
      ...(token === undefined ? [] : [...secretsOf(token, '$TOKEN'), ...halfOf(token)]),
      ...given.flatMap(([name, value]) => headerSecrets(value, `$${variableOf(name)}`))
    ]
    // Longer texts first: the half of a token is a part of it.
    this.#secrets = all
      .filter(({ text }) => text.length >= minLength)
      .sort((a, b) => b.text.length - a.text.length)
  }

  /** Returns the text with shell expressions in place of credentials. */
  hidden(text: string): string {
    return this.parts(text)
      .map((part) => (typeof part === 'string' ? part : part.shell))
      .join('')
  }

  /** Returns the credentials of a text, and the texts around them. */
  parts(text: string): readonly (string | Pick<Secret, 'shell'>)[] {
    return this.#secrets.reduce<readonly (string | Secret)[]>(
      (parts, secret) => parts.flatMap((part) => (typeof part === 'string' ? split(part, secret) : [part])),
      [text]
    )
  }
}

function split(text: string, secret: Secret): (string | Secret)[] {
  const escaped = secret.text.replaceAll(/\W/g, '\\$&')
  const separator = secret.isWord ? new RegExp(`(?<!\\w)${escaped}(?!\\w)`) : secret.text
  const [first = '', ...others] = text.split(separator)
  return [first, ...others.flatMap((other) => [secret, other])].filter((part) => part !== '')
}

/** Returns a credential in each form in which it is sent, or comes back. */
function secretsOf(text: string, shell: string): Secret[] {
  const password = /:(.+)$/s.exec(text)?.[1] ?? ''
  return [
    { text, shell },
    { text: encodeURIComponent(text), shell: node(encode, shell) },
    { text: base64(text), shell: node(toBase64, shell) },
    // Basic without a user name sends the token as both.
    { text: base64(`${text}:${text}`), shell: node(toBase64, `${shell}:${shell}`) },
    { text: password, shell: `\${${shell.slice(1)}#*:}` },
    { text: JSON.stringify(text).slice(1, -1), shell }
  ]
}

/** Returns the first half of the token, which is sent as a wrong credential, as it is sent. */
function halfOf(token: string): Secret[] {
  const text = token.slice(0, token.length / 2)
  const shell = `$(printf %.${text.length}s "$TOKEN")`
  const isWord = text.length < minHalf
  return [
    { text, shell, isWord },
    { text: encodeURIComponent(text.toWellFormed()), shell: node(encode, shell), isWord }
  ]
}

/** Returns the value of a header, and the credentials in it: those behind its scheme, and those of cookies. */
function headerSecrets(value: string, shell: string): Secret[] {
  const behindScheme = /^\S+ +(.+)$/.exec(value)?.[1]
  const cookies = value.split(/; */).flatMap((pair) => /=(.+)$/s.exec(pair)?.[1] ?? [])
  const decoded = behindScheme === undefined ? [] : [Buffer.from(behindScheme, 'base64').toString()]
  const inner = [...(behindScheme === undefined ? [] : [behindScheme]), ...cookies, ...decoded]
  return [
    ...secretsOf(value, shell),
    ...inner.flatMap((text) => secretsOf(text, shell)).map((secret) => ({ ...secret, shell }))
  ]
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const encode = 'encodeURIComponent(require("process").argv[1])'
const toBase64 = 'Buffer.from(require("process").argv[1]).toString("base64")'

/** Returns an expression that the shell replaces by the value of JavaScript. */
const node = (code: string, shell: string): string => `$(node -p '${code}' -- "${shell}")`

/** Returns the name of a variable: `X_API_KEY`. */
const variableOf = (header: string): string => header.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
