/** Welcome text after the start: the URLs, and a request that works when pasted. */

import { formatRows, type Paint, type Row } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { curl } from './curl.ts'
import { exampleRequest } from './example-request.ts'
import { parseDocument } from './examples.ts'

export interface Welcome {
  /** Public URL of the service, without a slash at the end. */
  readonly url: string
  /** Token made for this run, which is shown; a configured token never is. */
  readonly token: string | undefined
  /** OpenAPI document as JSON text. */
  readonly document: string
}

export function welcome({ url, token, document }: Welcome, paint: Paint): string {
  const contract = parseDocument(document)
  const note = paint('dim', '(for this run; set AUTH_TOKENS for one that stays)')
  const rows: Row[] = [
    ['service', url],
    ['docs', `${url}/docs`],
    ...(token === undefined ? [] : [['token', `${token}  ${note}`] as const])
  ]
  const heading = paint('bold', printable(String(Object(contract['info']).title)))
  const request = exampleRequest(contract)
  const example =
    request === undefined
      ? ''
      : `\n${printable(request.summary)}:\n\n${curl(request, { url, token: token ?? '$TOKEN' })}\n`
  return `\n${heading}\n\n${formatRows(rows)}\n${example}`
}
