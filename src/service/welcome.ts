/** Welcome text after the start: the URLs, and a request that works when pasted. */

import { formatRows, type Paint, type Row } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import type { Contract } from '@contract-first/engine/server'
import { type Callable, exampleText } from './curl.ts'

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
