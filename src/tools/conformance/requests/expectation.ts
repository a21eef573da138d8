/** Requests to send, each with the answers that a correct server may give. */
import type { ReportedProblem } from '@contract-first/engine/errors'
import type { Draft } from '../../samples/requests/draft.ts'
import { generalPlace } from '../../samples/requests/verdict.ts'

export interface Expectation {
  readonly kind:
    | 'accepted'
    /** Any answer that the operation declares. */
    | 'declared'
    /** Any answer but a failure. */
    | 'answered'
    | 'refused'
    | 'missing-credentials'
    | 'wrong-credentials'
  /** Describes the request: `a valid request with long texts`. */
  readonly request: string
  /** Distinguishes failures: the place of the broken value, or what is unusual about the request. */
  readonly place: string
}

export interface Attempt {
  readonly draft: Draft
  readonly expectation: Expectation
}

/** @param what what is unusual about the valid request: `with long texts` */
export const accepted = (what = ''): Expectation => ({
  kind: 'accepted',
  request: `a valid request ${what}`.trimEnd(),
  place: what
})

export const answered = (kind: 'declared' | 'answered', what: string): Expectation => ({
  kind,
  request: `a request ${what}`,
  place: what
})

export const refused = ({ place, message }: ReportedProblem): Expectation => ({
  kind: 'refused',
  request: `a request that breaks the contract: ${place} ${message}`,
  place: generalPlace(place)
})

export const unauthorized = (
  kind: 'missing-credentials' | 'wrong-credentials',
  what: string
): Expectation => ({ kind, request: `a request ${what}`, place: 'unauthorized' })

/** Returns true for a request that a correct server may accept. */
export const mayBeAccepted = ({ kind }: Expectation): boolean =>
  kind === 'accepted' || kind === 'declared' || kind === 'answered'
