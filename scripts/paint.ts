/** Colour: only on a terminal, and never with `NO_COLOR` (no-color.org) or on a terminal that can not show it. */
import { styleText } from 'node:util'
import type { Paint } from '../src/contract/compile/report.ts'

/** @param stream where the text goes */
export const paintFor =
  (stream: { readonly isTTY?: boolean }): Paint =>
  (style, text) =>
    isColourful(stream) ? styleText(style, text, { validateStream: false }) : text

const isColourful = ({ isTTY }: { readonly isTTY?: boolean }): boolean =>
  isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
