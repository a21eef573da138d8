/**
 * Writes the welcome text after the start, with the example request of the contract as a curl command that works when
 * pasted into a shell. curl interprets more than the shell: `@file`, `<file`, `[1-9]` and `{a,b}` in URLs, `;` in forms.
 */

import { formatRows, type Paint, type Row } from '@contract-first/cli/format'
import { printable, printableJson } from '@contract-first/cli/printable'
import { quote, quoteWithVariables } from '@contract-first/cli/shell'
import { type Contract, type Operation, tokenAlternative } from '@contract-first/engine/server'

interface Callable extends Pick<Contract, 'example' | 'securitySchemes'> {
  readonly operations: readonly Pick<Operation, 'operationId' | 'method' | 'security'>[]
}

type SecurityScheme = Contract['securitySchemes'][string]
type Body = NonNullable<Contract['example']>['body']

export interface Target {
  /** Public URL of the service, without a slash at the end. */
  readonly url: string
  /** Token, or a shell variable: `$TOKEN`. */
  readonly token: string
  /** Name and password as shell variables; by default the token stands for both. */
  readonly user?: string
}

export interface Welcome {
  /** Public URL of the service, without a slash at the end. */
  readonly url: string
  /** Token made for this run, which is shown; a configured token never is. */
  readonly token: string | undefined
  readonly contract: Callable & Pick<Contract, 'title'>
}

export function welcome({ url, token, contract }: Welcome, paint: Paint): string {
  const note = paint('dim', '(for this run; set AUTH_TOKENS for one that stays)')
  const rows: Row[] = [
    ['service', url],
    ['docs', `${url}/docs`],
    ...(token === undefined ? [] : [['token', `${token}  ${note}`] as const])
  ]
  const heading = paint('bold', printable(contract.title))
  const target = { url, token: token ?? '$TOKEN', user: '$USER:$PASSWORD' }
  return `\n${heading}\n\n${formatRows(rows)}\n${exampleText(contract, target)}`
}

/** Returns the example under its summary; an empty text without one. */
export function exampleText(
  contract: Callable,
  target: Target,
  paint: Paint = (_style, text) => text
): string {
  const { example } = contract
  if (example === undefined) return ''
  return `\n${paint('bold', printable(example.summary))}:\n\n${curl(contract, example, target)}\n`
}

function curl(
  { operations, securitySchemes }: Callable,
  { operationId, target, headers, body }: NonNullable<Contract['example']>,
  { url, token, user }: Target
): string {
  const operation = operations.find((each) => each.operationId === operationId)
  const { method = 'GET', security = [] } = operation ?? {}
  const required = tokenAlternative(security, securitySchemes) ?? security[0] ?? []
  const schemes = required.map(({ scheme }) => securitySchemes[scheme] as SecurityScheme)
  return [
    'curl',
    ...urlArguments(url + target, schemes, token),
    ...methodOptions(method, body !== undefined),
    ...schemes.flatMap((scheme) => credential(scheme, token, user)),
    ...Object.entries(headers).flatMap(([name, value]) => headerOption(name, value)),
    ...bodyOptions(body, /json/.test(headers['Content-Type'] ?? ''))
  ].join(' ')
}

/** Returns true for the name of a header or of a cookie (RFC 9110, section 5.6.2); curl reads `@name` as a file. */
const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name)

/** Returns the URL with API keys in its query, and the option for characters that curl would expand. */
function urlArguments(url: string, schemes: readonly SecurityScheme[], token: string): readonly string[] {
  const globbing = /[[\]{}]/.test(url.replace(/^https?:\/\/\[[\da-f:.]+\]/, '')) ? ['--globoff'] : []
  const keys = schemes.flatMap((each) => (each.type === 'apiKey' && each.in === 'query' ? [each.name] : []))
  if (keys.length === 0)
    return [...globbing, /[^\w.:/%-]/.test(url.replace(/^https?:/, '')) ? quote(printable(url)) : url]
  const parts = keys.flatMap((name, index) => {
    const before = index > 0 ? '&' : `${printable(url)}${url.includes('?') ? '&' : '?'}`
    return [`${before}${encodeURIComponent(name)}=`, token]
  })
  return [...globbing, quoteWithVariables(...parts)]
}

/** Returns the option for the method. curl's default is GET, or POST with a body; `-X HEAD` would wait for a body. */
function methodOptions(method: string, hasBody: boolean): readonly string[] {
  if (method === 'HEAD') return ['--head']
  return method === (hasBody ? 'POST' : 'GET') ? [] : [`-X ${method}`]
}

/** Returns the options for a credential, whose variables the shell expands. */
function credential(scheme: SecurityScheme, token: string, user: string | undefined): readonly string[] {
  if (scheme.type === 'mutualTLS') return ['--cert client.pem', '--key client.key']
  if (scheme.type === 'apiKey') {
    if (scheme.in === 'query' || !isToken(scheme.name)) return []
    return scheme.in === 'cookie'
      ? [`-b ${quoteWithVariables(`${scheme.name}=`, token)}`]
      : [`-H ${quoteWithVariables(`${scheme.name}: `, token)}`]
  }
  const name = scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer'
  if (name === 'basic') return [`-u "${user ?? `${token}:${token}`}"`]
  if (name === 'digest' && user !== undefined) return ['--digest', `-u "${user}"`]
  return [`-H ${quoteWithVariables(`Authorization: ${name === 'bearer' ? 'Bearer' : name} `, token)}`]
}

/** Returns no option for a name that no request can have; a header without a value ends with a semicolon. */
function headerOption(name: string, value: string): readonly string[] {
  if (!isToken(name)) return []
  if (name === 'Cookie') return [`-b ${quote(printable(value))}`]
  return [`-H ${quoteWithVariables(value === '' ? `${name};` : printable(`${name}: ${value}`))}`]
}

/** Without a scheme of its own, curl would read `@name` as a file. */
function bodyOptions(body: Body, isJson: boolean): readonly string[] {
  if (body === undefined) return []
  if (typeof body !== 'string') return body.map(partOption)
  const text = isJson ? printableJson(body) : printable(body)
  return [`${text.startsWith('@') ? '--data-raw' : '-d'} ${quote(text)}`]
}

/**
 * Writes a field as a part, and a file as a part with a file name (RFC 7578, section 4.2). curl takes what follows the
 * first `=` for a file if it begins with `@` or `<`, so that such names are given by --form-string, which reads none.
 */
function partOption({
  name,
  text: given,
  isFile,
  mediaType
}: Exclude<Body, string | undefined>[number]): string {
  const text = printable(given)
  if (!/^[\w .[\]-]+$/.test(name)) return `--form-string ${quote(`${printable(name)}=${text}`)}`
  const attributes = [
    ...(isFile ? [`filename=${name}`] : []),
    ...(mediaType !== undefined && isPlainType(mediaType) ? [`type=${mediaType}`] : [])
  ]
  // curl interprets these characters at the start of a value, and ends a value at a semicolon.
  const plain = /^[@<"( ]|;/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text
  return `-F ${quote([`${name}=${plain}`, ...attributes].join(';'))}`
}

/** Returns true for a media type without parameters, which curl would take for options of the part. */
const isPlainType = (mediaType: string): boolean => /^[\w.+-]+\/[\w.+-]+$/.test(mediaType)
