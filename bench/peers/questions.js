/** The questions to each tool, sent over a socket. */
import { connect } from 'node:net'
import { secret } from './tools.js'

/** Sends a request, with the right token by default. */
async function ask({ origin }, body, { token = secret, path = '/plants', type = 'application/json' } = {}) {
  const headers = { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(origin + path, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

function raw({ origin }, text) {
  return new Promise((resolve) => {
    const socket = connect(new URL(origin).port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (data) => (answer += data)).on('error', () => {})
    socket.on('close', () => resolve({ text: answer.split('\r\n\r\n')[1] ?? '' }))
  })
}

function isError({ text }) {
  try {
    const { error, message } = JSON.parse(text)
    return Number.isInteger(error) && typeof message === 'string'
  } catch {
    return false
  }
}

const plant = '{"id":1,"name":"x"}'
const fine = () => ({ status: 200, body: { name: 'x' } })
const yes = (holds) => (holds ? 'yes' : 'no')

/** Answers of a tool, by the rows of docs/comparison.md, in whose words they are. */
export const questions = {
  '… and does not start': async (start) => {
    const server = await start({ secure: true }).catch(() => undefined)
    if (server === undefined) return 'yes'
    const { status } = await ask(server, plant)
    await server.close()
    return `no: ${status}`
  },
  'a security scheme without a handler does not start': async (start) => {
    const server = await start({ create: fine, secure: false }).catch(() => undefined)
    if (server === undefined) return 'yes'
    const lets = { everybody: '', 'every token': 'wrong', 'the right token': secret }
    const answers = Object.entries(lets).map(async ([who, token]) => {
      const { status } = await ask(server, plant, { token })
      return status === 200 ? [who] : []
    })
    const [who = 'nobody'] = (await Promise.all(answers)).flat()
    await server.close()
    return `no: lets ${who} in`
  },
  'a request without a token is refused before its body is parsed': async (start) => {
    const server = await start({ create: fine, secure: true })
    const { status } = await ask(server, '{"id":1,', { token: '' })
    await server.close()
    return yes(status === 401)
  },
  'a string is not coerced to a number, nor `null` to a string': async (start) => {
    const server = await start({ create: fine, secure: true })
    const coerced = [await ask(server, '{"id":"12","name":"x"}'), await ask(server, '{"id":1,"name":null}')]
    await server.close()
    return yes(coerced.every(({ status }) => status === 400))
  },
  'an id of 9007199254740993 reaches the handler unchanged': async (start) => {
    let id
    const create = (body) => {
      id = body.id
      return fine()
    }
    const server = await start({ create, secure: true })
    await ask(server, '{"id":9007199254740993,"name":"x"}')
    await server.close()
    return yes(String(id) === '9007199254740993')
  },
  "failures answered in the contract's Error shape, of five tried": async (start) => {
    const server = await start({ create: fine, secure: true })
    const failures = {
      'broken JSON': await ask(server, '{"id":1,'),
      'an invalid body': await ask(server, '{"id":1}'),
      'an undeclared path': await ask(server, plant, { path: '/nowhere' }),
      'no token': await ask(server, plant, { token: '' }),
      'broken HTTP': await raw(server, 'GET / HTTP/1.1\r\nbroken header\r\n\r\n')
    }
    await server.close()
    const others = Object.keys(failures).filter((name) => !isError(failures[name]))
    const count = Object.keys(failures).length - others.length
    return others.length === 0 ? `${count}` : `${count}: not of ${others.join(', ')}`
  },
  'an answer that breaks its schema is not sent': async (start) => {
    const server = await start({
      create: () => ({ status: 200, body: { undeclared: 'leaked' } }),
      secure: true
    })
    const { status, text } = await ask(server, plant)
    await server.close()
    return yes(status === 500 && !text.includes('leaked'))
  },
  'a status that is not declared is not sent': async (start) => {
    const server = await start({ create: () => ({ status: 202, body: { name: 'x' } }), secure: true })
    const { status } = await ask(server, plant)
    await server.close()
    return yes(status === 500)
  }
}
