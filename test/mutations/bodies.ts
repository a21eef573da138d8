/** Bodies that are read while they arrive: bounded, without effect on the next request, gone with their response. */
import type { Mutation } from './mutation.ts'

const stream = 'src/engine/server/body/body-stream.ts'
const streamTest = 'engine/server/body/body-stream.test.ts'
const uploadsTest = 'engine/server/body/uploads.test.ts'
const items = 'src/engine/server/body/items.ts'
const multipart = 'src/engine/server/body/multipart.ts'
const budgetTest = 'engine/server/body/budget.test.ts'
const itemsTest = 'engine/server/body/items.test.ts'

export const bodies: readonly Mutation[] = [
  {
    guarantee: 'the limit of a streamed body holds for chunks',
    file: stream,
    search: 'if (this.#received > this.#limit) this.destroy(bodyTooLarge(this.#limit))\n    else if',
    replacement: 'if',
    test: streamTest
  },
  {
    guarantee: 'a streamed body may take longer than the time-out of a request',
    file: stream,
    search: 'if (!isTimeout || response === undefined',
    replacement: 'if (isTimeout || response === undefined',
    test: streamTest
  },
  {
    guarantee: 'a late request is refused when its response is closed and its body is incomplete',
    file: stream,
    search: "response.once('close', () => response.req.complete || refuse())",
    replacement: 'void refuse',
    test: streamTest
  },
  {
    guarantee: 'the time-out of an application is put off while a body is streamed',
    file: stream,
    search: 'if (server.requestTimeout > 0) putOffTimeouts',
    replacement: 'if (server.requestTimeout < 0) putOffTimeouts',
    test: streamTest
  },
  {
    guarantee: 'a JSON text reaches the handler with its line feed',
    file: items,
    search: 'const end = framing.isWhole?.(chunk.subarray(last), last > 0) ? chunk.length : last',
    replacement: 'const end = last',
    test: itemsTest
  },
  {
    guarantee: 'lines of events may end with CR',
    file: 'src/engine/server/body/records.ts',
    search: 'separators = [lineFeed, carriageReturn]',
    replacement: 'separators = [lineFeed]',
    test: itemsTest
  },
  {
    guarantee: 'a client that is silent while its body is read is refused',
    file: stream,
    search: 'this.#received === received) this.#timeOut(',
    replacement: 'this.#received < 0) this.#timeOut(',
    test: streamTest
  },
  {
    guarantee: 'the silence of a client counts only while its body is read',
    file: stream,
    search: '      this.#stopWaiting()\n      this.#source.pause()\n    }',
    replacement: '      this.#source.pause()\n    }',
    test: streamTest
  },
  {
    guarantee: 'a client that leaves destroys the stream of its body',
    file: stream,
    search: "this.#source.on('error', onLost).on('close', onLost)",
    replacement: "this.#source.on('error', ignore)",
    test: streamTest
  },
  {
    guarantee: 'a streamed body has no part in the budget of bodies',
    file: 'src/engine/server/body/budget.ts',
    search: 'content.stream || content.items ? limit',
    replacement: 'content.items ? limit',
    test: budgetTest
  },
  {
    guarantee: 'a temporary file has no name',
    file: 'src/engine/server/body/upload-folder.ts',
    search: '  await unlink(path)\n',
    replacement: '',
    test: uploadsTest
  },
  {
    guarantee: 'a temporary file is gone with the response',
    file: 'src/engine/server/body/uploads.ts',
    search: '    onceClosed(reply, () => this.#close())\n',
    replacement: '',
    test: uploadsTest
  },
  {
    guarantee: 'the fields of a streamed form are bounded',
    file: 'src/engine/server/body/streamed-parts.ts',
    search: 'if (this.#heldBytes > this.#form.maxHeld) throw',
    replacement: 'if (this.#heldBytes < 0) throw',
    test: uploadsTest
  },
  {
    guarantee: 'the folder of a running process stays',
    file: 'src/engine/server/body/upload-folder.ts',
    search: 'if (isOwn && !(await isRunning(',
    replacement: 'if (isOwn || !(await isRunning(',
    test: 'engine/server/body/upload-process.test.ts'
  },
  {
    guarantee: 'a full disk is not a defect',
    file: 'src/engine/server/body/uploads.ts',
    search: "['ENOSPC', ",
    replacement: '[',
    test: 'engine/server/body/upload-process.test.ts'
  },
  {
    guarantee: 'an item has a limit',
    file: items,
    search: 'if (held.length + chunk.length - end > maxItem) throw',
    replacement: 'if (maxItem < 0) throw',
    test: itemsTest
  },
  {
    guarantee: 'a pointer to an item begins with its index',
    file: 'src/engine/server/body/parse.ts',
    search: 'pointer: item + problem.pointer',
    replacement: 'pointer: problem.pointer',
    test: itemsTest
  },
  {
    guarantee: 'a byte order mark before a sequence is refused',
    file: items,
    search: 'if (isFirst && decoded.charCodeAt(0) === byteOrderMark)',
    replacement: 'if (isFirst && decoded === null)',
    test: itemsTest
  },
  {
    guarantee: 'an item that is not UTF-8 is refused',
    file: items,
    search: 'if (valid < bytes.length) throw',
    replacement: 'if (valid < 0) throw',
    test: itemsTest
  },
  {
    guarantee: 'the last item of a sequence is UTF-8, too',
    file: items,
    search: 'if (!isUtf8(held.bytes)) throw',
    replacement: 'if (held.length < 0) throw',
    test: itemsTest
  },
  {
    guarantee: 'tiny items leave turns to other requests',
    file: items,
    search: 'if (pace.isSpent(workOfItem)) await nextTurn()',
    replacement: 'pace.isSpent(workOfItem)',
    test: budgetTest
  },
  {
    guarantee: 'blank lines and comments leave turns to other requests',
    file: items,
    search: 'if (pace.isSpent(chunk.length)) await nextTurn()',
    replacement: 'pace.isSpent(chunk.length)',
    test: budgetTest
  },
  {
    guarantee: 'a multipart body leaves turns to other requests',
    file: multipart,
    search: 'if (this.#pace.isSpent(slice.length)) await nextTurn()',
    replacement: 'this.#pace.isSpent(slice.length)',
    test: budgetTest
  },
  {
    guarantee: 'one reader of a body has each turn',
    file: 'src/engine/server/body/turns.ts',
    search: '  waiting.shift()?.()\n',
    replacement: '  for (const resolve of waiting.splice(0)) resolve()\n',
    test: budgetTest
  },
  {
    guarantee: 'parsing stops at the limit of parts',
    file: multipart,
    search: 'if (this.list.push(part) > maxParts) throw tooManyParts()',
    replacement: 'this.list.push(part)',
    test: budgetTest
  },
  {
    guarantee: 'streams have a budget of their own',
    file: 'src/engine/server/body/receive.ts',
    search: '{ bodyLimit, streamBudget, uploads }: Receiving',
    replacement: '{ bodyLimit, bodyBudget: streamBudget, uploads }: Receiving',
    test: budgetTest
  },
  {
    guarantee: 'an item that is read gives its room back',
    file: 'src/engine/server/body/payload.ts',
    search: '    this.#reserve?.(-this.#buffer.length)\n',
    replacement: '',
    test: budgetTest
  },
  {
    guarantee: 'the lines of an event that arrives are counted',
    file: items,
    search: '    reserve(framing.heldBytes - heldByFraming)\n',
    replacement: '',
    test: budgetTest
  },
  {
    guarantee: 'the headers of the parts of a streamed form are counted',
    file: 'src/engine/server/body/streamed-parts.ts',
    search: '    reserve(headerBytes)\n',
    replacement: '',
    test: budgetTest
  },
  {
    guarantee: 'an item that is held has a deadline',
    file: items,
    search: 'else stream.hold(placeOf)',
    replacement: 'else stream.release()',
    test: itemsTest
  },
  {
    guarantee: 'an item that is given has no deadline any more',
    file: items,
    search: '      stream.release()\n',
    replacement: '',
    test: itemsTest
  },
  {
    guarantee: 'a field of a streamed form has a deadline',
    file: 'src/engine/server/body/streamed-parts.ts',
    search: 'if (parts.isHolding) stream.hold(',
    replacement: 'if (parts.isHolding && stream.closed) stream.hold(',
    test: uploadsTest
  },
  {
    guarantee: 'the files of a form that are in memory are bounded together',
    file: 'src/engine/server/body/uploads.ts',
    search: 'this.#size <= maxHeld && this.#spool.takeMemory(chunk.length)',
    replacement: 'this.#size <= maxHeld',
    test: uploadsTest
  },
  {
    guarantee: 'the name of a file is safe',
    file: multipart,
    search: 'unsafeName.test(name) ? undefined : name',
    replacement: 'name',
    test: 'engine/server/body/receive.test.ts'
  },
  {
    guarantee: 'the fields of a form are counted before they are parsed',
    file: 'src/engine/server/parameters/fields.ts',
    search: 'fields.push(text.slice(from, to)) > maxFields) return undefined',
    replacement: 'fields.push(text.slice(from, to)) < 0) return undefined',
    test: 'engine/server/body/receive.test.ts'
  }
]
