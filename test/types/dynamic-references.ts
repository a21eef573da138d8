import type { Handlers } from './contract.ts'

export const bound: Pick<Handlers, 'numbers' | 'words'> = {
  numbers: ({ body }) => {
    const ids: bigint[] = body.items
    const next: bigint[] | undefined = body.next?.items
    return { status: 200, body: { items: [...ids, ...(next ?? [])] } }
  },
  words: ({ body }) => {
    const words: string[] = body.items
    return { status: 204, headers: { 'x-words': String(words.length) } }
  }
}

export const wrong: Pick<Handlers, 'numbers'> = {
  // @ts-expect-error the items are bigints here
  numbers: () => ({ status: 200, body: { items: ['a'] } })
}
