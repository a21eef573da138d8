/** Writes a request as a curl command that works when pasted into a shell. */
import { bodyOptions } from './curl-body.ts'
import type { ExampleRequest } from './example-request.ts'
import type { Node } from './examples.ts'
import { quote, quoteWithVariables } from './shell.ts'

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
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...cookies.map(([name, value]) => `-b ${quote(`${name}=${encodeURIComponent(value)}`)}`),
    ...(body === undefined ? [] : bodyOptions(body))
  ]
  const keys = schemes.filter((scheme) => scheme['type'] === 'apiKey' && scheme['in'] === 'query')
  const names = keys.map(({ name }) => encodeURIComponent(String(name)))
  return ['curl', target(url + path, names, token), ...options].join(' ')
}

/** Returns the option for the method. curl's default is GET, or POST with a body; `-X HEAD` would wait for a body. */
function methodOptions(method: string, hasBody: boolean): readonly string[] {
  if (method === 'HEAD') return ['--head']
  return method === (hasBody ? 'POST' : 'GET') ? [] : [`-X ${method}`]
}

/** @param keys names of API keys in the query */
function target(address: string, keys: readonly string[], token: string): string {
  if (keys.length === 0) return /[^\w.:/%-]/.test(address.replace(/^https?:/, '')) ? quote(address) : address
  const start = address.includes('?') ? '&' : '?'
  return quoteWithVariables(address, start + keys.map((name) => `${name}=${token}`).join('&'))
}

/** Returns the options for a credential, in double quotes so that the shell expands variables. */
function credential({ type, scheme, in: place, name }: Node, token: string): readonly string[] {
  if (type === 'mutualTLS') return ['--cert client.pem', '--key client.key']
  if (type === 'apiKey' && place === 'query') return []
  if (type === 'apiKey') return [place === 'cookie' ? `-b "${name}=${token}"` : `-H "${name}: ${token}"`]
  const user = '-u "$USER:$PASSWORD"'
  if (/^basic$/i.test(String(scheme))) return [user]
  if (/^digest$/i.test(String(scheme))) return ['--digest', user]
  return [`-H "Authorization: Bearer ${token}"`]
}
