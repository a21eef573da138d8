/** All guarantees, in the order in which a request meets them. */
import { durability } from './durability.ts'
import { failures } from './failures.ts'
import type { Mutation } from './mutation.ts'
import { requests } from './requests.ts'
import { responses } from './responses.ts'
import { security } from './security.ts'

export const mutations: readonly Mutation[] = [
  ...security,
  ...requests,
  ...durability,
  ...responses,
  ...failures
]
