/** Writes a request as a command line for a POSIX shell, which sends the same bytes again. */
import { isPrintable } from '@contract-first/cli/printable'
import { quote } from '@contract-first/cli/shell'
import type { RawRequest } from '../../instances/requests/raw-request.ts'
import type { Secrets } from './secrets.ts'

/** Longest argument: common systems refuse longer ones (MAX_ARG_STRLEN of Linux is 131,072 bytes). */
const maxArgument = 100_000

/**
 * Returns the line with shell expressions in place of credentials.
 * @param url complete URL
 */
export function curlLine({ method, headers, body }: RawRequest, url: string, secrets: Secrets): string {
  const quoted = (text: string) => quoteParts(secrets.parts(text))
  const request = method === 'HEAD' ? ['--head'] : ['-X', method]
  const shown = Object.entries(headers).flatMap(([name, value]) => [
    '-H',
    quoted(value === '' ? `${name};` : `${name}: ${value}`)
  ])
  const line = ['curl', '-i', '-sS', '--path-as-is', '--globoff', ...request, quoted(url), ...shown]
  if (body === undefined) return line.join(' ')
  if (body.length > 1000) line.push('-H', quote('Expect:'))
  const text = body.toString()
  // `printf` writes a body with a character that a terminal interprets.
  const isPlain = Buffer.from(text).equals(body) && isPrintable(text) && !text.startsWith('@')
  if (isPlain && body.length <= maxArgument) return [...line, '--data-binary', quoted(text)].join(' ')
  const bytes = Buffer.from(secrets.hidden(body.toString('latin1')), 'latin1')
  return `printf ${quote(octal(bytes))} | ${[...line, '--data-binary', '@-'].join(' ')}`
}

/** Quotes texts for a shell, which expands the credentials between them. */
const quoteParts = (parts: ReturnType<Secrets['parts']>): string =>
  parts.map((part) => (typeof part === 'string' ? quote(part) : `"${part.shell}"`)).join('')

/**
 * Writes backslash, percent and everything except printable ASCII as octal escapes (POSIX.1-2024, printf); also a hyphen
 * at the start, which begins an option of `printf`, as the first boundary of a multipart body would.
 */
function octal(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(
      /^-|[^ -~]|[\\%]/g,
      (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
    )
}
