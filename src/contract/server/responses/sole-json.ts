/** Fast path for the most common response, prepared once for each status: JSON, the only media type, no headers. */
import type { CompiledCode, Response } from '../../model/compiled-contract.ts'
import { bodiless } from './payload.ts'

export interface SoleJson {
  /** Headers of the response: its media type. */
  readonly headers: ReadonlyMap<string, string>
  /** Writes a conforming value; returns undefined for any other one, which the general checks then refuse. */
  readonly write: (body: unknown) => string | undefined
}

/** @returns undefined where a response of the status may have another form */
export function soleJson(
  status: number,
  { headers, content }: Response,
  { validators, serializers }: CompiledCode
): SoleJson | undefined {
  const [only, ...others] = content
  const isSole = others.length === 0 && headers.length === 0 && !bodiless.has(status)
  const serialize = serializers[String(only?.serialize)]
  const validate = validators[String(only?.validate)]
  if (only?.kind !== 'json' || !isSole || serialize === undefined || validate === undefined) return undefined
  return {
    headers: new Map([['content-type', only.mediaType]]),
    write: (body) => (isValue(body) && validate.call(undefined, body) ? serialize(body) : undefined)
  }
}

function isValue(body: unknown): boolean {
  return body !== undefined && typeof body !== 'function' && typeof body !== 'symbol'
}
