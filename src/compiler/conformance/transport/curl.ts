/** Writes a request as a command line for a POSIX shell, which sends the same bytes again. */
import type { RawRequest } from '../requests/raw-request.ts'

/** Longest argument: common systems refuse longer ones (MAX_ARG_STRLEN of Linux is 131,072 bytes). */
const maxArgument = 100_000

/** @param url complete URL */
export function curlLine({ method, headers, body }: RawRequest, url: string): string {
  const request = method === 'HEAD' ? ['--head'] : ['-X', method]
  const shown = Object.entries(headers).flatMap(([name, value]) => [
    '-H',
    quoted(value === '' ? `${name};` : `${name}: ${value}`)
  ])
  const line = ['curl', '-i', '-sS', '--path-as-is', '--globoff', ...request, quoted(url), ...shown]
  if (body === undefined) return line.join(' ')
  if (body.length > 1000) line.push('-H', quoted('Expect:'))
  const text = body.toString()
  const isPlain = Buffer.from(text).equals(body) && !/\p{Cc}/u.test(text) && !text.startsWith('@')
  if (isPlain && body.length <= maxArgument) return [...line, '--data-binary', quoted(text)].join(' ')
  return `printf ${quoted(octal(body))} | ${[...line, '--data-binary', '@-'].join(' ')}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Writes backslash, percent and everything except printable ASCII as octal escapes (POSIX.1-2024, printf). */
function octal(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[^ -~]|[\\%]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
