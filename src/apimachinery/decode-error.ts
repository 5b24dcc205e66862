/** A body, or a part of it, that is not what it has to be. The message is the one Go's decoders give. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}
