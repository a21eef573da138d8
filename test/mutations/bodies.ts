/** Bodies that are read while they arrive: bounded, without effect on the next request, gone with their response. */
import type { Mutation } from './mutation.ts'

const stream = 'src/engine/server/body/body-stream.ts'
const streamTest = 'engine/server/body/body-stream.test.ts'
const uploadsTest = 'engine/server/body/uploads.test.ts'
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
    file: 'src/engine/server/body/records.ts',
    search: 'if (ends.isWhole?.(held.bytes)) yield text()',
    replacement: 'if (ends === undefined) yield text()',
    test: itemsTest
  },
  {
    guarantee: 'lines of events may end with CR',
    file: 'src/engine/server/body/records.ts',
    search: ' && chunk[at] !== carriageReturn) at++',
    replacement: ') at++',
    test: itemsTest
  },
  {
    guarantee: 'a client that is silent while its body is read is refused',
    file: stream,
    search: "this.destroy(new FailureError('timeout'",
    replacement: "void (new FailureError('timeout'",
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
    file: 'src/engine/server/body/read-bytes.ts',
    search: 'content.stream || content.items ? limit',
    replacement: 'content.items ? limit',
    test: 'engine/server/body/budget.test.ts'
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
    search: 'if (this.#heldBytes > maxHeld) throw',
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
    file: 'src/engine/server/body/records.ts',
    search: 'if (held.length + bytes.length > maxItem) throw',
    replacement: 'if (maxItem < 0) throw',
    test: itemsTest
  },
  {
    guarantee: 'a pointer to an item begins with its index',
    file: 'src/engine/server/body/parse.ts',
    search: '  throw bodyMismatch(placed, omitted)',
    replacement: '  if (placed) throw bodyMismatch(problems, omitted)',
    test: itemsTest
  },
  {
    guarantee: 'a byte order mark before a sequence is refused',
    file: 'src/engine/server/body/records.ts',
    search: 'if (isFirst && text.charCodeAt(0) === byteOrderMark)',
    replacement: 'if (isFirst && text === null)',
    test: itemsTest
  },
  {
    guarantee: 'an item that is not UTF-8 is refused',
    file: 'src/engine/server/body/records.ts',
    search: 'if (!isUtf8(bytes)) throw',
    replacement: 'if (isUtf8(bytes) && place === null) throw',
    test: itemsTest
  }
]
