/** The text that a person sees when the mock has started. Its first line is the URL, for programs. */
import type { AddressInfo } from 'node:net'
import { dataOption, headerOption, urlArguments } from '@contract-first/cli/curl-options'
import { formatRows, type Paint } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import type { Mock, SampleRequest } from '../../mock.ts'
import type { MockCommand } from './options.ts'

export function startText(mock: Mock, address: AddressInfo, options: MockCommand, paint: Paint): string {
  const url = urlOf(mock, address, options)
  const rows = formatRows([
    ['docs', `${url}/docs`],
    ['choose', "-H 'Prefer: code=404', 'Prefer: example=NAME', 'Prefer: dynamic=true'"]
  ])
  const sample =
    mock.sample === undefined
      ? ''
      : `\n${paint('bold', printable(mock.sample.summary))}:\n\n${curl(mock.sample, url)}\n`
  return `${url}\n\n${rows}\n${sample}`
}

/**
 * Returns the URL for clients, without a slash at the end. Clients cannot use a wildcard address, so it becomes
 * localhost.
 */
export function urlOf({ basePath }: Mock, { port }: AddressInfo, { host }: MockCommand): string {
  const reachable = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}${basePath}`
}

function curl({ method, path, headers, body }: SampleRequest, url: string): string {
  const usual = body === undefined ? 'GET' : 'POST'
  return [
    'curl',
    ...(method === usual ? [] : [`-X ${method}`]),
    ...urlArguments(url + path),
    ...headers.flatMap(([name, value]) => headerOption(name, value)),
    ...(body === undefined ? [] : [dataOption(body)])
  ].join(' ')
}
