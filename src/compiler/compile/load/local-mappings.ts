/** Keeps mappings of discriminators into the root file as written: the bundler would copy their schemas. */
import { define, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { contractNodes } from '../document/walk.ts'

/** @returns a function that restores the mappings, in their order, beside those that the bundler has changed */
export function takeLocalMappings(document: JsonObject): () => void {
  const taken = [...contractNodes(document)].map(({ node }) => {
    const mapping = objectOf(own(objectOf(own(node, 'discriminator')), 'mapping'))
    const entries = Object.entries(mapping)
    for (const [value, target] of entries)
      if (String(target).startsWith('#/')) Reflect.deleteProperty(mapping, value)
    return { mapping, entries }
  })
  return () => {
    for (const { mapping, entries } of taken)
      for (const [value, target] of entries) {
        const bundled = own(mapping, value) ?? target
        Reflect.deleteProperty(mapping, value)
        define(mapping, value, bundled)
      }
  }
}
