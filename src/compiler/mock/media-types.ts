/** Chooses the media type of a response by `Accept`, a concrete one even if the contract declares a range. */
import { negotiate, ranked } from '@contract-first/engine/media-types'
import type { ResponseContent } from '@contract-first/engine/model'

/** Types that are sent for a range that the client does not narrow. */
const usual: Readonly<Record<string, string>> = {
  '*/*': 'application/json',
  'application/*': 'application/json',
  'text/*': 'text/plain',
  'image/*': 'image/png'
}

/** @returns undefined if `Accept` excludes every content */
export function preferredContent(
  contents: readonly ResponseContent[],
  accept: string | undefined
): ResponseContent | undefined {
  return contents[
    negotiate(
      accept,
      contents.map(({ mediaType }) => mediaType)
    )
  ]
}

/** @returns the type without its parameters */
export const essence = (mediaType: string): string => String(mediaType.split(';')[0]).trim().toLowerCase()

/** @returns the media type itself, or one within the range that the client prefers */
export function concreteType(mediaType: string, accept: string | undefined): string {
  const range = essence(mediaType)
  if (!range.includes('*')) return mediaType
  const wanted = (accept ?? '')
    .split(',')
    .map(essence)
    .filter((type) => /^[^*]+\/[^*]+$/.test(type))
  const [best] = ranked(
    accept,
    wanted.filter((type) => negotiate(range, [type]) === 0)
  )
  return best ?? usual[range] ?? range.replace('*', 'octet-stream')
}
