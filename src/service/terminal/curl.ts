/** Writes a request as a curl command that works when pasted into a shell. */
import type { ExampleRequest } from './example-request.ts'
import type { Node } from './examples.ts'

export interface Target {
  /** Public URL of the service, without a slash at the end. */
  readonly url: string
  /** A token, or the name of a shell variable: `$TOKEN`. */
  readonly token: string
}

export function curl(request: ExampleRequest, { url, token }: Target): string {
  const { method, path, headers, body, schemes } = request
  const options = [
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...schemes.map((scheme) => credential(scheme, token)),
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quote(spaced(body))}`])
  ]
  return ['curl', /[^\w.:/%-]/.test(path) ? quote(url + path) : url + path, ...options].join(' ')
}

/** Double quotes let the shell replace the name of a variable. */
function credential({ type, scheme, in: place, name }: Node, token: string): string {
  if (type === 'apiKey') return place === 'cookie' ? `-b "${name}=${token}"` : `-H "${name}: ${token}"`
  return scheme === 'basic' ? '-u "$USER:$PASSWORD"' : `-H "Authorization: Bearer ${token}"`
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Writes JSON on one line, with a space after each colon and comma. */
function spaced(value: unknown): string {
  const exact = (_key: string, item: unknown) =>
    typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item
  return JSON.stringify(value, exact, 1).replaceAll(/(,?)\n */g, (_, comma) => comma && ', ')
}
