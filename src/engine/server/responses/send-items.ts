/** Sends the items of a sequence: the status with the first one, or with the first heartbeat. */
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Items } from '../../model/value-plans.ts'
import { FailureError, isFailure } from '../errors/failure.ts'
import type { Checks } from './body.ts'
import { discard } from './discard.ts'
import type { Sequence } from './item-cursor.ts'
import { ItemStream, type Streaming } from './item-stream.ts'
import { heartbeatText, itemWriter } from './item-text.ts'

/** Parts that the streams of all operations share. */
export interface ItemSending extends Streaming {
  /** Reports a failure after which only the connection can be ended, because the status has been sent. */
  readonly onBrokenStream: (failure: FailureError, request: FastifyRequest) => void
}

export interface ItemResponse {
  readonly items: Items
  readonly sequence: Sequence
  readonly checks: Checks
  /** Sends status and headers, with this body. */
  readonly begin: (body: Readable) => void
  /** Describes a broken item for the log. */
  readonly broken: (error: unknown) => Error
  /** Describes an iterator that failed for the log. */
  readonly label: string
}

export function sendItems(response: ItemResponse, reply: FastifyReply, sending: ItemSending): void {
  const { items, sequence, checks, begin, broken, label } = response
  const write = itemWriter(items, checks)
  const failureOf = (error: unknown, index: number): FailureError =>
    isFailure(error)
      ? error
      : new FailureError('internal', {
          cause: error,
          reason: `${label}: the iterator failed at item ${index}`
        })
  const output = {
    reply,
    begin,
    write: (item: unknown, index: number) => {
      try {
        return write(item, index)
      } catch (error) {
        throw new FailureError('response-mismatch', { cause: broken(error) })
      }
    },
    heartbeatText: (count: number) => heartbeatText(items, count),
    fail: (error: unknown, { index, isFirst }: { readonly index: number; readonly isFirst: boolean }) => {
      if (isFirst) reply.send(failureOf(error, index))
      else sending.onBrokenStream(failureOf(error, index), reply.request)
    }
  }
  try {
    if (reply.raw.destroyed) discard(sequence)
    else new ItemStream(sequence, output, sending)
  } catch (error) {
    reply.send(failureOf(error, 0))
  }
}
