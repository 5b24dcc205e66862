import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";

/** Why bytes are no protobuf document, in the words of upstream's decoder. */
export class ProtobufError extends DecodeError {
  /** What the document says it is, as far as it was read. */
  readonly gvk: GroupVersionKind | undefined;

  constructor(message: string, gvk?: GroupVersionKind, options?: ErrorOptions) {
    super(message, options);
    this.gvk = gvk;
  }
}

/** The data ends inside a value. */
export function unexpectedEnd(): ProtobufError {
  return new ProtobufError("unexpected EOF");
}

/** A known field is laid out as another type is. `field` is the name of Go's field. */
export function wrongWireType(wire: number, field: string): ProtobufError {
  return new ProtobufError(`proto: wrong wireType = ${wire} for field ${field}`);
}

/** protobufjs's complaints in the words of upstream; anything else is a mistake of ours and stays what it is. */
export function inUpstreamWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof RangeError && error.message.startsWith("index out of range")) return unexpectedEnd();
  if (error.message === "invalid length encoding")
    return new ProtobufError("proto: negative length found during unmarshaling");
  if (error.message === "invalid varint encoding" || error.message === "invalid tag encoding")
    return new ProtobufError("proto: integer overflow");
  return error;
}
