import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";

/** An error in a protobuf document, with the text of upstream's decoder. */
export class ProtobufError extends DecodeError {
  /** The kind that the document states, if it was read. */
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

/** A known field has the wire type of another type. `field` is the name of the field in Go. */
export function wrongWireType(wire: number, field: string): ProtobufError {
  return new ProtobufError(`proto: wrong wireType = ${wire} for field ${field}`);
}

/** Converts errors of protobufjs to upstream's. Other errors are bugs and are returned unchanged. */
export function upstreamError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof RangeError && error.message.startsWith("index out of range")) return unexpectedEnd();
  if (error.message === "invalid length encoding")
    return new ProtobufError("proto: negative length found during unmarshaling");
  if (error.message === "invalid varint encoding" || error.message === "invalid tag encoding")
    return new ProtobufError("proto: integer overflow");
  return error;
}
