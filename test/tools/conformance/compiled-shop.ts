import { join } from 'node:path'
import { compileInMemory, type InMemory } from '../../../src/compiler/compile/in-memory.ts'

/** Returns shop.yaml, compiled. */
export const compiledShop = (): Promise<InMemory> => compileInMemory(join(import.meta.dirname, 'shop.yaml'))
