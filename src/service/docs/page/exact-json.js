/**
 * Makes JSON.parse and JSON.stringify keep integers beyond 2^53 exact, because Scalar parses and rewrites request
 * bodies. Browsers without JSON.rawJSON keep their own functions.
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
