import type { Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'echo'> = {
  echo: ({ params, query, headers, body }) => {
    const id: bigint = params.id
    const after: bigint = query.after
    const ids: bigint[] | undefined = query.ids
    const header: bigint | undefined = headers['x-id']
    const few: 9007199254740993n | 1n | undefined = body?.few
    const maybe: bigint | null | undefined = body?.maybe
    const word: -9007199254740993n | 'all' | null | undefined = body?.word
    const only: 9007199254740993n | undefined = body?.only
    const mixed: 1n | boolean | undefined = body?.mixed
    const plain: number | undefined = body?.plain
    const text: string | undefined = body?.text
    return {
      status: 200,
      body: {
        id: id + after + (ids?.[0] ?? 0n) + (header ?? 0n) + (few ?? 0n) + (maybe ?? 0n) + (only ?? 0n) + (typeof word === 'bigint' ? word : 0n) + (typeof mixed === 'bigint' ? mixed : 0n),
        plain: plain ?? 0,
        text: text ?? ''
      }
    }
  }
}

export const wrong: Pick<Handlers, 'echo'> = {
  // @ts-expect-error int64 is not a number
  echo: () => ({ status: 200, body: { id: 1 } })
}

export const wider: Pick<Handlers, 'echo'> = {
  // @ts-expect-error a plain integer is not a bigint
  echo: () => ({ status: 200, body: { plain: 1n } })
}
