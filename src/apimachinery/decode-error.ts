/** The bytes or the text cannot be decoded. The message is that of Go's decoder. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}
