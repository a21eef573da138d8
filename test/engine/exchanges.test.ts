/** Requests to small contracts, and their whole way through the server: exchanges/ has a contract and its rows in each file. */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import t from 'tap'
import { serve } from '../contracts/drive.ts'
import { check } from '../contracts/exchange-all.ts'
import { type Exchange, flat, type Group, read } from '../contracts/exchanges.ts'
import { compiled, type Json } from './serve.ts'

t.setTimeout(900_000)

interface File {
  readonly contract: Json
  /** Further options of the server. */
  readonly options?: object
  readonly rows: readonly (Exchange | Group)[]
}

const errorBody = ({ code, message, problems = [] }: Failure) => ({
  ...{ code, message },
  problems: problems.map(({ pointer, keyword }) =>
    keyword === undefined ? pointer : `${pointer} ${keyword}`
  )
})
interface Failure {
  readonly code: string
  readonly message: string
  readonly problems?: readonly { readonly pointer: string; readonly keyword?: string }[]
}

for (const path of globSync('exchanges/*.yaml', { cwd: import.meta.dirname })) {
  const name = basename(path, '.yaml')
  t.test(name, async (t) => {
    const { contract, options, rows } = read(`${import.meta.dirname}/${path}`) as File
    const { exchange } = await serve(t, await compiled(t, contract), { errorBody, ...options })
    for (const row of flat(name, rows)) check(t, row, await exchange(row))
  })
}
