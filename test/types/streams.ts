import contract, { type EventsResponse, type Handlers, type MixedResponse } from './contract.ts'
import { createContractServer } from 'ENGINE'

async function* plants() {
  yield { id: 1n, name: 'fern' }
  yield { id: 2n }
}

export const right: Pick<Handlers, 'lines' | 'listed' | 'single' | 'events' | 'data' | 'mixed' | 'text'> = {
  lines: () => ({ status: 200, body: plants() }),
  listed: async () => ({ status: 200, body: [{ id: 1n }] }),
  single: () => ({ status: 200, body: new Set([{ id: 1n }]) }),
  events: () => ({
    status: 200,
    body: [{ data: { id: 1n, name: 'fern' } }, { data: { id: 2n }, event: 'plant', id: 3n, retry: 1000 }]
  }),
  data: () => ({ status: 200, body: plants() }),
  mixed: () => ({
    status: 200,
    body: [
      { event: 'word', data: 'hello' },
      { event: 'plant', data: { id: 1n } }
    ]
  }),
  text: () => ({ status: 200, body: 'data: 1\n\n' })
}

/** Names that editors show, plain. */
export const event: EventsResponse['body'] = [{ data: { id: 1n } }]
export const mixed: MixedResponse['body'] = [{ event: 'word' }]

export const received: Pick<Handlers, 'store'> = {
  store: async ({ body }) => {
    for await (const { id, name } of body) {
      const exact: bigint = id
      const text: string | undefined = name
      if (exact === 0n || text === '') break
    }
    return { status: 204 }
  }
}

async function* wrong() {
  yield { id: '1' }
}

// @ts-expect-error the item of a generator has another type
export const generated: Pick<Handlers, 'lines'> = { lines: () => ({ status: 200, body: wrong() }) }
// @ts-expect-error an item without a required property
export const lacking: Pick<Handlers, 'lines'> = { lines: () => ({ status: 200, body: [{ name: 'fern' }] }) }
// @ts-expect-error a single item
export const single: Pick<Handlers, 'lines'> = { lines: () => ({ status: 200, body: { id: 1n } }) }
// @ts-expect-error bytes beside a schema
export const bytes: Pick<Handlers, 'lines'> = { lines: () => ({ status: 200, body: Buffer.from('{}') }) }
// @ts-expect-error an event without data
export const dataless: Pick<Handlers, 'events'> = { events: () => ({ status: 200, body: [{ id: 1n }] }) }
// @ts-expect-error another type of data
export const text: Pick<Handlers, 'events'> = { events: () => ({ status: 200, body: [{ data: 'fern' }] }) }
// @ts-expect-error an event in place of its data
export const whole: Pick<Handlers, 'data'> = { data: () => ({ status: 200, body: [{ data: { id: 1n } }] }) }

const others = { ...right, ...received }
export const inline = () =>
  createContractServer({
    contract,
    security: {},
    handlers: {
      ...others,
      lines: async () => ({ status: 200, body: plants() }),
      data: () => ({
        status: 200,
        body: (async function* () {
          yield { id: 1n }
        })()
      })
    },
    errorBody: () => ({})
  })
export const inlineWrong = () =>
  createContractServer({
    contract,
    security: {},
    // @ts-expect-error the item of an inline generator has another type
    handlers: { ...others, lines: () => ({ status: 200, body: wrong() }) },
    errorBody: () => ({})
  })
