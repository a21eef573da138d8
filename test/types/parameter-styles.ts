import type { Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'query' | 'simple' | 'header' | 'cookie'> = {
  query: ({ query }) => {
    const limit: number = query.limit
    const wide: bigint | undefined = query.wide
    const tags: string[] | undefined = query.filter?.tags
    const form: number[] | undefined = query.form
    return { status: limit > 0 && wide && tags && form ? 204 : 204 }
  },
  simple: ({ params }) => {
    const list: number[] = params.list
    return { status: list.length > 0 ? 204 : 204 }
  },
  header: ({ headers }) => {
    const count: number = headers['x-count']
    return { status: count > 0 ? 204 : 204 }
  },
  cookie: ({ cookies }) => {
    const session: string = cookies.session
    return { status: session === '' ? 204 : 204 }
  }
}

export const json: Pick<Handlers, 'json'> = {
  json: ({ query, headers }) => {
    const id: bigint | undefined = query.json?.id
    const from: bigint | undefined = query.range.from
    const ids: bigint[] | undefined = headers['x-ids']
    return { status: id && from && ids ? 204 : 204 }
  }
}

export const wrong: Pick<Handlers, 'query'> = {
  // @ts-expect-error no such parameter
  query: ({ query }) => ({ status: query.nothing ? 204 : 204 })
}

export const optional: Pick<Handlers, 'query'> = {
  // @ts-expect-error an optional parameter without a default may be absent
  query: ({ query }) => ({ status: query.form.length > 0 ? 204 : 204 })
}

export const unread: Pick<Handlers, 'header'> = {
  // @ts-expect-error a parameter named Accept is ignored
  header: ({ headers }) => ({ status: headers.accept ? 204 : 204 })
}
