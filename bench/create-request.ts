/**
 * The bytes of a create. Each request gets another id in place, because building it anew costs as much CPU as its
 * target.
 */
import { token } from './target.ts'

/** Smallest id: all ids have as many digits, so that one can overwrite another. */
const minId = 1e15

/** @returns an id of 16 digits */
export const randomId = (): number => minId + Math.floor(Math.random() * 8 * minId)

export interface CreateRequest {
  readonly bytes: Buffer
  readonly writeId: (id: number) => void
}

/** @param url URL of the service, with or without a path */
export function createRequest(url: string): CreateRequest {
  const body = `{"id":${minId},"name":"Monstera deliciosa","tag":"climber"}`
  const head = [
    'POST /plants HTTP/1.1',
    `host: ${new URL(url).host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`
  ].join('\r\n')
  const text = `${head}\r\n\r\n${body}`
  const bytes = Buffer.from(text)
  const idAt = text.length - body.length + body.indexOf(String(minId))
  return { bytes, writeId: (id) => bytes.write(String(id), idAt, 'latin1') }
}
