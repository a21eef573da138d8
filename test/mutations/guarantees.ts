/** All guarantees, in the order in which a request meets them. */
import { bodies } from './bodies.ts'
import { contracts } from './contracts.ts'
import { durability } from './durability.ts'
import { failures } from './failures.ts'
import type { Mutation } from './mutation.ts'
import { requests } from './requests.ts'
import { responses } from './responses.ts'
import { security } from './security.ts'
import { service } from './service.ts'
import { source } from './source.ts'

export const mutations: readonly Mutation[] = [
  ...security,
  ...requests,
  ...bodies,
  ...durability,
  ...responses,
  ...failures,
  ...service,
  ...source,
  ...contracts
]

/** Returns every tenth mutation; the ten parts together are all. */
export const tenthOf = (all: readonly Mutation[], part: number): readonly Mutation[] =>
  all.filter((_, index) => index % 10 === part)
