/** Writes a request as a curl command that works when pasted into a shell. */

import { headerOption, isToken, urlArguments } from '@contract-first/cli/curl-options'
import { printable } from '@contract-first/cli/printable'
import { quote, quoteWithVariables } from '@contract-first/cli/shell'
import { bodyOptions } from './curl-body.ts'
import type { ExampleRequest } from './example-request.ts'
import type { Node } from './examples.ts'

export interface Target {
  /** Public URL of the service, without a slash at the end. */
  readonly url: string
  /** Token, or a shell variable: `$TOKEN`. */
  readonly token: string
}

export function curl(request: ExampleRequest, { url, token }: Target): string {
  const { method, path, headers, cookies, body, schemes } = request
  const options = [
    ...methodOptions(method, body !== undefined),
    ...schemes.flatMap((scheme) => credential(scheme, token)),
    ...headers.flatMap(([name, value]) => headerOption(name, value)),
    ...cookies.flatMap(([name, value]) =>
      isToken(name) ? [`-b ${quote(`${name}=${encodeURIComponent(value.toWellFormed())}`)}`] : []
    ),
    ...(body === undefined ? [] : bodyOptions(body))
  ]
  const keys = schemes.filter((scheme) => scheme['type'] === 'apiKey' && scheme['in'] === 'query')
  const names = keys.map(({ name }) => encodeURIComponent(String(name)))
  return ['curl', ...target(url + path, names, token), ...options].join(' ')
}

/** Returns the option for the method. curl's default is GET, or POST with a body; `-X HEAD` would wait for a body. */
function methodOptions(method: string, hasBody: boolean): readonly string[] {
  if (method === 'HEAD') return ['--head']
  return method === (hasBody ? 'POST' : 'GET') ? [] : [`-X ${method}`]
}

/** @param keys names of API keys in the query */
function target(address: string, keys: readonly string[], token: string): readonly string[] {
  const [url = '', ...globbing] = urlArguments(address).toReversed()
  if (keys.length === 0) return [...globbing, url]
  const start = address.includes('?') ? '&' : '?'
  const parts = keys.flatMap((name, index) => [
    `${index === 0 ? printable(address) + start : '&'}${name}=`,
    token
  ])
  return [...globbing, quoteWithVariables(...parts)]
}

/** Returns the options for a credential, whose variables the shell expands. */
function credential({ type, scheme, in: place, name }: Node, token: string): readonly string[] {
  if (type === 'mutualTLS') return ['--cert client.pem', '--key client.key']
  if (type === 'apiKey' && (place === 'query' || !isToken(String(name)))) return []
  if (type === 'apiKey')
    return [
      place === 'cookie'
        ? `-b ${quoteWithVariables(`${name}=`, token)}`
        : `-H ${quoteWithVariables(`${name}: `, token)}`
    ]
  const user = '-u "$USER:$PASSWORD"'
  if (/^basic$/i.test(String(scheme))) return [user]
  if (/^digest$/i.test(String(scheme))) return ['--digest', user]
  return [`-H "Authorization: Bearer ${token}"`]
}
