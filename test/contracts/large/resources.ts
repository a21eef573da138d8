/** The resources of a large contract: every noun in every domain, then both again with a number. */

export interface Resource {
  /** Name of the domain: `nursery`. */
  readonly domain: string
  /** Name of the resource in its domain: `order`. */
  readonly noun: string
  /** Path template: `/nurseries/{nursery_id}/orders`. */
  readonly path: string
  /** Prefix of the schemas: `NurseryOrder`. */
  readonly name: string
  readonly index: number
}

const domains =
  'nursery market library fleet clinic museum kitchen harbour studio school forest archive'.split(' ')
const nouns = 'order member event ticket label report asset visit batch price schedule rule'.split(' ')

/** Least number of operations of a resource. */
const minOperations = 8

/** @returns as many resources as the operations need */
export function resources(operations: number): Resource[] {
  return Array.from({ length: Math.ceil(operations / minOperations) }, (_, index) => resource(index))
}

function resource(index: number): Resource {
  const round = Math.floor(index / (domains.length * nouns.length))
  const suffix = round === 0 ? '' : `-${round + 1}`
  const domain = `${domains[Math.floor(index / nouns.length) % domains.length]}${suffix}`
  const noun = nouns[index % nouns.length] ?? ''
  const parameter = `${domain.replaceAll('-', '_')}_id`
  return {
    domain,
    noun,
    path: `/${plural(domain)}/{${parameter}}/${plural(noun)}`,
    name: pascal(`${domain}-${noun}`),
    index
  }
}

const plural = (noun: string) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`)

const pascal = (text: string) =>
  text
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
