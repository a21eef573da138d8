/** Valid exchanges with a large contract: one for each operation, from its examples. */
import type { Exchange } from '../exchange.ts'
import type { Document } from '../large-contract.ts'
import type { Operation, Schema } from './document.ts'
import { Examples } from './example.ts'

type Content = Readonly<Record<string, { readonly schema: Schema }>>

/** @returns the exchange by operationId */
export function exampleExchanges({ paths, components }: Document): Map<string, Exchange> {
  const examples = new Examples(components['schemas'] as Record<string, Schema>)
  const placed = Object.entries(paths as Record<string, Schema>).flatMap(
    ([path, { parameters: _, ...methods }]) =>
      Object.entries(methods as Record<string, Operation>).map(
        ([method, operation]) =>
          [
            String(operation['operationId']),
            exchange(`${method.toUpperCase()} ${urlOf(path)}`, operation, examples)
          ] as const
      )
  )
  return new Map(placed)
}

/** Returns the URL: ids of resources are integers; the id of the domain comes first and is a string. */
function urlOf(path: string): string {
  const url = path.replace(/\{[^{}]*\}/, 'a1').replaceAll(/\{[^{}]*\}/g, '7')
  return url.endsWith('/search') ? `${url}?q=x` : url
}

function exchange(send: string, operation: Operation, examples: Examples): Exchange {
  const answer = answerOf(operation, examples)
  const request = operation['requestBody'] as { readonly content: Content } | undefined
  const { headers = {}, ...body } = request === undefined ? {} : bodyOf(request.content, examples)
  return {
    send,
    headers: { authorization: 'Bearer good', accept: 'application/json', ...headers },
    ...body,
    answer,
    want: answer.status,
    ...(answer.body !== undefined && { got: answer.body })
  }
}

function bodyOf(content: Content, examples: Examples): Pick<Exchange, 'headers' | 'body'> {
  const json = content['application/json']
  if (json !== undefined) return { body: examples.of(json.schema, 'request') }
  const isForm = content['application/x-www-form-urlencoded'] !== undefined
  return isForm
    ? {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'callback_url=https%3A%2F%2Fexample.org&events=a&events=b&seconds=60'
      }
    : { headers: { 'content-type': 'application/octet-stream' }, body: Buffer.from([0, 255]) }
}

function answerOf(operation: Operation, examples: Examples): { status: number; body?: unknown } {
  const responses = Object.entries(operation['responses'] as Record<string, { readonly content?: Content }>)
  const [status = '', { content } = {}] = responses.find(([name]) => /^2\d\d$/.test(name)) ?? []
  const schema = content?.['application/json']?.schema
  const body = schema === undefined ? {} : { body: examples.of(schema, 'response') }
  return { status: Number(status), ...body }
}
