import { Reader } from "protobufjs/minimal.js";
import type { JsonObject } from "../../apimachinery/json.ts";
import { decodeUtf8 } from "../json/go-utf8.ts";
import { ProtobufError, unexpectedEnd, wrongWireType } from "./protobuf-error.ts";
import { wireType } from "./wire.ts";

/** Reads a document that stands inside another one. */
export type ReadDocument = (input: MessageInput) => JsonObject;

/** How deep messages may nest. No built-in kind but the schema in a CustomResourceDefinition comes near. */
const maxDepth = 1_000;

/** The bytes of one document as they are read, and what bounds the reading. */
export class MessageInput {
  readonly reader: Reader;
  readonly #readDocument: ReadDocument;
  #depth: number;

  constructor(bytes: Uint8Array, readDocument: ReadDocument, depth = 0) {
    this.reader = Reader.create(bytes);
    this.#readDocument = readDocument;
    this.#depth = depth;
  }

  /** Reads a length and binds the reader to as many bytes; what it gives is for `leave`. */
  enter(): number {
    const { reader } = this;
    const end = reader.size() + reader.pos;
    const outer = reader.len;
    if (end > outer) throw unexpectedEnd();
    this.#deeper();
    reader.len = end;
    return outer;
  }

  /** Goes on behind the part that `enter` went into. */
  leave(outer: number): void {
    this.reader.pos = this.reader.len;
    this.reader.len = outer;
    this.#depth--;
  }

  /** Reads a document that stands inside this one; it counts as one level more. */
  embedded(bytes: Uint8Array): JsonObject {
    this.#deeper();
    return this.#readDocument(new MessageInput(bytes, this.#readDocument, this.#depth--));
  }

  /** Reads a tag and refuses what no message has. */
  tag(messageName: string): number {
    const tag = this.reader.tag();
    if ((tag & 7) === wireType.endGroup)
      throw new ProtobufError(`proto: ${messageName}: wiretype end group for non-group`);
    if (tag < 8) throw new ProtobufError(`proto: ${messageName}: illegal tag 0 (wire type ${tag})`);
    return tag;
  }

  /** Reads text; bytes that are no UTF-8 become what Go prints for them in JSON. */
  text(): string {
    const { reader } = this;
    const start = reader.pos;
    const text = reader.string();
    if (!text.includes("\ufffd")) return text;
    reader.pos = start;
    return decodeUtf8(reader.bytes());
  }

  /** Passes over a field that is not among the known ones; those come here only with a layout that is not theirs. */
  skipUnknown(tag: number, knownNames: readonly string[]): void {
    const name = knownNames[(tag >>> 3) - 1];
    if (name !== undefined) throw wrongWireType(tag & 7, name);
    this.skip(tag & 7);
  }

  /** Passes over a field, and over a group with all that stands in it. */
  skip(wire: number): void {
    let openGroups = this.#skipOne(wire, 0);
    while (openGroups > 0) openGroups = this.#skipOne(this.reader.tag() & 7, openGroups);
  }

  #skipOne(wire: number, openGroups: number): number {
    const { reader } = this;
    switch (wire) {
      case wireType.varint:
        reader.bool();
        return openGroups;
      case wireType.fixed64:
        reader.skip(8);
        return openGroups;
      case wireType.bytes:
        reader.skip(reader.size());
        return openGroups;
      case wireType.startGroup:
        return openGroups + 1;
      case wireType.endGroup:
        if (openGroups === 0) throw new ProtobufError("proto: unexpected end of group");
        return openGroups - 1;
      case wireType.fixed32:
        reader.skip(4);
        return openGroups;
      default:
        throw new ProtobufError(`proto: illegal wireType ${wire}`);
    }
  }

  #deeper(): void {
    if (++this.#depth > maxDepth) throw new ProtobufError(`proto: nested deeper than ${maxDepth} messages`);
  }
}
