/**
 * Preload that hides the undocumented part `HIDDEN_PART` of Node from the engine, as if a version of Node had renamed
 * it or, with `READ_ONLY`, had made it read-only. Node's own code reads and writes it as before.
 */
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

const server = createServer()
// Stays open, because Node would give its parser, which has properties of its own, to the next connection.
const open = new Socket()
server.emit('connection', open)
const parser: object = Object.getPrototypeOf(Reflect.get(open, 'parser'))
const connecting = new Socket().connect({ host: '127.0.0.1', port: 1 })
const handle: object = Object.getPrototypeOf(Reflect.get(connecting, '_handle'))
connecting.destroy()

const owners: Readonly<Record<string, object>> = {
  server: Object.getPrototypeOf(server),
  socket: Socket.prototype,
  'socket._handle': handle,
  'socket.parser': parser,
  'socket.parser.constructor': parser.constructor,
  request: IncomingMessage.prototype,
  response: ServerResponse.prototype
}

const part = process.env['HIDDEN_PART'] ?? ''
const isReadOnly = process.env['READ_ONLY'] !== undefined
const dot = part.lastIndexOf('.')
hide(Object(owners[part.slice(0, dot)]), part.slice(dot + 1))

function hide(owner: object, name: string): void {
  const inherited = Object.getOwnPropertyDescriptor(owner, name)?.value
  const own = new WeakMap<object, unknown>()
  const renamed = new WeakMap<object, unknown>()
  const above: object = Object.getPrototypeOf(owner)
  Object.defineProperty(owner, name, {
    configurable: true,
    get() {
      if (isEngine() && !isReadOnly) return renamed.get(this)
      return own.has(this) ? own.get(this) : (inherited ?? Reflect.get(above, name, this))
    },
    set(value) {
      if (!isEngine()) own.set(this, value)
      else if (isReadOnly) throw new TypeError(`Cannot set property ${name}, which has only a getter`)
      else renamed.set(this, value)
    }
  })
}

/** Returns true if the code that reads or writes the property is that of the engine. */
function isEngine(): boolean {
  const frames = (new Error().stack ?? '').split('\n').slice(3)
  const caller = frames.find((frame) => !frame.includes('<anonymous>')) ?? ''
  return caller.includes('/src/engine/server/')
}
