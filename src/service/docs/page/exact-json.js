/**
 * JSON with every integer exact. Scalar takes the body of a request apart and puts it together again with JSON.parse and
 * JSON.stringify, which round beyond 2^53; an int64 goes further. A browser that cannot tell the digits keeps its own.
 */
if ('rawJSON' in JSON) {
  const { parse } = JSON
  const isRounded = (value, source) => Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?\d+$/.test(source)
  const exact = (_key, value, { source }) => (isRounded(value, source) ? BigInt(source) : value)

  JSON.parse = (text, reviver) => parse(text, reviver ?? (/\d{16}/.test(text) ? exact : undefined))
  BigInt.prototype.toJSON = function () {
    return JSON.rawJSON(String(this))
  }
}
