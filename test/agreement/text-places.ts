/** The places of a request in which a value is text. */
import { form, simple } from './literal.ts'
import type { Seen } from './service.ts'

export interface TextPlace {
  readonly name: string
  readonly path: string
  readonly request: RequestInit
  readonly read: (seen: Seen) => unknown
  /** Returns the type of the value in the operation. */
  readonly type: (operationId: string) => string
}

/** @returns two requests that hold the value in every place; they differ by the media type of the body */
export function textPlaces(value: unknown): TextPlace[] {
  const path = `/${simple(value)}?${form('q', value)}`
  const headers = { 'X-H': [value].flat().join(','), cookie: form('c', value) }
  const urlencoded = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  const parts = new FormData()
  for (const item of [value].flat()) parts.append('f', String(item))
  const formRequest = { headers: urlencoded, body: form('f', value) }
  const multipart = { headers, body: parts }
  const parameter = (
    name: string,
    group: 'params' | 'query' | 'headers' | 'cookies',
    key: string
  ): TextPlace => ({
    name,
    path,
    request: formRequest,
    read: (seen) => seen[group][key],
    type: (id) => `Request<'${id}'>['${group}']['${key}']`
  })
  const field = (name: string, request: RequestInit, mediaType: string): TextPlace => ({
    name,
    path,
    request,
    read: ({ body }) => Reflect.get(Object(body), 'f'),
    type: (id) => `Extract<Request<'${id}'>, { mediaType: '${mediaType}' }>['body']['f']`
  })
  return [
    parameter('path', 'params', 'p'),
    parameter('query', 'query', 'q'),
    parameter('header', 'headers', 'x-h'),
    parameter('cookie', 'cookies', 'c'),
    field('form field', formRequest, 'application/x-www-form-urlencoded'),
    field('multipart part', multipart, 'multipart/form-data')
  ]
}
