/** What a person sees when the service has started: where it is, and a request that works when pasted. */
import { formatRows, type Paint, type Row } from './format.ts'

export interface Welcome {
  /** Public URL of the service, without a slash at the end. */
  readonly url: string
  /** Made for this run only, and so shown; a configured one never is. */
  readonly token: string | undefined
}

export function welcome({ url, token }: Welcome, paint: Paint): string {
  const note = paint('dim', '(for this run; set AUTH_TOKENS for one that stays)')
  const rows: Row[] = [
    ['service', url],
    ['docs', `${url}/docs`],
    ...(token === undefined ? [] : [['token', `${token}  ${note}`] as const])
  ]
  const heading = paint('bold', 'Plant Store')
  return `\n${heading}\n\n${formatRows(rows)}\n\nCreate a plant:\n\n${curl(url, token ?? '$TOKEN')}\n`
}

function curl(url: string, token: string): string {
  const body = '{"id": 1, "name": "Monstera deliciosa", "tag": "climber"}'
  return `curl ${url}/plants -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -d '${body}'`
}
