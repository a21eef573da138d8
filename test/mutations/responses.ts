/** Responses: only declared parts are sent. */
import type { Mutation } from './mutation.ts'

export const responses: readonly Mutation[] = [
  {
    guarantee: 'a bigint stands for an integer of a response',
    file: 'src/engine/runtime/validators.ts',
    search: 'Number.isInteger(value) || isPlainBigint(value)',
    replacement: 'Number.isInteger(value) || false',
    test: 'contracts/first-contracts.test.ts'
  },
  {
    guarantee: 'an integer beyond 2^53 is sent only as int64',
    file: 'src/engine/runtime/validators.ts',
    search: 'value >= -maxPlain && value <= maxPlain',
    replacement: 'value >= -maxPlain',
    test: 'engine/runtime/runtime.test.ts'
  },
  {
    guarantee: 'a response body is validated',
    file: 'src/engine/server/responses/body.ts',
    search: 'if (validators[String(name)]?.(value) !== false) return\n',
    replacement: 'if (validators !== undefined) return\n',
    test: 'engine/server/responses/send.test.ts'
  },
  {
    guarantee: 'an undeclared status is not sent',
    file: 'src/engine/server/responses/send.ts',
    search: 'isFinal ? declaredResponse(operation, status) : undefined',
    replacement: 'declaredResponse(operation, status) ?? Object.values(operation.responses)[0]',
    test: 'engine/server/responses/send.test.ts'
  },
  {
    guarantee: 'the error that errorResponse cannot map is logged',
    file: 'src/engine/server/responses/mapped-error.ts',
    search: 'return mapped === undefined ? reason : mapped.error',
    replacement: 'return reason',
    test: 'engine/server/responses/mapped-error.test.ts'
  },
  {
    guarantee: 'an error of a handler within around does not end the process',
    file: 'src/engine/server/handlers/around.ts',
    search: 'response.catch(() => undefined)',
    replacement: 'response.then(() => undefined)',
    test: 'engine/server/handlers/around.test.ts'
  },
  {
    guarantee: 'a handler that answers is called once, whatever around does',
    file: 'src/engine/server/handlers/around.ts',
    search: 'if (this.#misuse !== undefined)',
    replacement: 'if (this.#misuse === null)',
    test: 'engine/server/handlers/around.test.ts'
  },
  {
    guarantee: 'a handler cannot change the extensions of its operation',
    file: 'src/engine/server/handlers/handler-request.ts',
    search: 'Object.values(value).forEach(frozen)',
    replacement: 'Object.values(value).forEach(Object.freeze)',
    test: 'engine/server/handlers/handler-request.test.ts'
  },
  {
    guarantee: 'an undeclared property is not sent',
    file: 'src/engine/server/responses/body.ts',
    search: 'return checks.serialize(content.serialize, body)',
    replacement:
      'return JSON.stringify(body, (_key, value) => (typeof value === "bigint" ? Number(value) : value))',
    test: 'engine/server/responses/send.test.ts'
  },
  {
    guarantee: 'a required response header is present',
    file: 'src/engine/server/responses/headers.ts',
    search: 'if (value === undefined && required &&',
    replacement: 'if (value === null && required &&',
    test: 'engine/server/responses/send.test.ts'
  },
  {
    guarantee: 'a header value cannot end its line',
    file: 'src/engine/server/responses/headers.ts',
    search: 'if (/[^\\t\\x20-\\x7e]/.test(text))',
    replacement: 'if (text === "\\0")',
    test: 'engine/server/responses/send.test.ts'
  },
  {
    guarantee: 'an item of a stream is validated',
    file: 'src/engine/server/responses/item-text.ts',
    search: 'throw new Error(problems(closest?.validate, place))',
    replacement: "if (closest === undefined) throw new Error(problems('', place))\n  return closest",
    test: 'engine/server/responses/body.test.ts'
  },
  {
    guarantee: 'an event has no field with a line break',
    file: 'src/engine/server/responses/item-text.ts',
    search: "['event', /^[^\\r\\n]*$/",
    replacement: "['event', /^/",
    test: 'engine/server/responses/body.test.ts'
  },
  {
    guarantee: 'no item is asked for while a client does not read',
    file: 'src/engine/server/responses/item-stream.ts',
    search: 'highWaterMark: 0',
    replacement: 'highWaterMark: 67_108_864',
    test: 'engine/server/responses/item-stream.test.ts'
  },
  {
    guarantee: 'an endless list of items lets other requests have their turn',
    file: 'src/engine/server/responses/item-stream.ts',
    search: 'else this.#rest()',
    replacement: 'else this.#cursor.ask()',
    test: 'engine/server/responses/item-stream.test.ts'
  },
  {
    guarantee: 'a broken stream does not end like a complete one',
    file: 'src/engine/server/responses/item-stream.ts',
    search: 'if (!at.isFirst) closeUnfinished(this.#output.reply.raw)',
    replacement: "if (!at.isFirst) this.push(closeUnfinished === undefined ? '' : null)",
    test: 'engine/server/responses/item-stream.test.ts'
  },
  {
    guarantee: 'without chunks a broken stream is reset',
    file: 'src/engine/server/transport/connections.ts',
    search: "hasHeader('content-length')) reset(socket)",
    replacement: "hasHeader('content-length')) void (reset, socket.destroySoon())",
    test: 'engine/server/transport/connections.test.ts'
  },
  {
    guarantee: 'a broken stream of HTTP/2 ends alone',
    file: 'src/engine/server/transport/connections.ts',
    search: 'if (stream !== undefined) stream.write',
    replacement: 'if (stream === null) stream.write',
    test: 'engine/server/http2.test.ts'
  },
  {
    guarantee: 'the items of one turn share a write',
    file: 'src/engine/server/responses/item-stream.ts',
    search: 'this.#count < maxItems',
    replacement: 'this.#count < 1 && maxItems > 0',
    test: 'engine/server/responses/item-stream.test.ts'
  },
  {
    guarantee: 'an iterator is ended once, and then holds no request',
    file: 'src/engine/server/responses/item-cursor.ts',
    search: '    this.#reader = undefined\n    let returned',
    replacement: '    let returned',
    test: 'engine/server/responses/item-stream.test.ts'
  },
  {
    guarantee: 'a HEAD asks for no item',
    file: 'src/engine/server/responses/body.ts',
    search: "if (method !== 'HEAD') return body",
    replacement: "if (method !== '') return body",
    test: 'engine/server/responses/item-stream.test.ts'
  },
  {
    guarantee: 'a heartbeat sends the status',
    file: 'src/engine/server/responses/item-stream.ts',
    search: "reply.raw.once('pipe', () => reply.raw.flushHeaders())",
    replacement: "reply.raw.once('pipe', () => undefined)",
    test: 'engine/server/responses/item-stream.test.ts'
  },
  {
    guarantee: 'streams that clients do not read are bounded together',
    file: 'src/engine/server/transport/unread.ts',
    search: 'if (counted > held) this.#closeLongestWaiting(counted)\n',
    replacement: '',
    test: 'engine/server/responses/item-stream.test.ts'
  },
  {
    guarantee: 'a drain aborts the signals of requests in flight',
    file: 'src/engine/server/handlers/open-requests.ts',
    search: 'for (const controller of this.#controllers) abort(controller)\n',
    replacement: '',
    test: 'engine/server/handlers/open-requests.test.ts'
  },
  {
    guarantee: 'a drain sends the item that is being made',
    file: 'src/engine/server/responses/item-stream.ts',
    search: 'if (this.#cursor.isAsked) this.#timers',
    replacement: 'if (!this) this.#timers',
    test: 'engine/server/handlers/open-requests.test.ts'
  },
  {
    guarantee: 'a service ends its streams when it begins to drain',
    file: 'src/service/http/connections.ts',
    search: 'const prepared = onDrain()',
    replacement: 'const prepared = Promise.resolve(typeof onDrain)',
    test: 'service/run-main.test.ts'
  },
  {
    guarantee: 'a stream has no byte more than its length says',
    file: 'src/engine/server/responses/body.ts',
    search: 'if (sent > length) break',
    replacement: 'if (sent < 0) break',
    test: 'engine/server/responses/body.test.ts'
  }
]
