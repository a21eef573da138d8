interface Format<T> {
  readonly item: (item: T) => string
  /** Formats the number of items left out. */
  readonly rest: (count: number) => string
}

/** Formats the first `max` items and a count of the rest; a rest of one is shown, because a count is not shorter. */
export function shortened<T>(items: readonly T[], max: number, { item, rest }: Format<T>): string[] {
  const left = items.length - max
  return left > 1 ? [...items.slice(0, max).map(item), rest(left)] : items.map(item)
}
