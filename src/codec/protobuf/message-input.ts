import { Reader } from "protobufjs/minimal.js";
import { decodeUtf8 } from "../../apimachinery/go/go-utf8.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { ProtobufError, unexpectedEnd, wrongWireType } from "./protobuf-error.ts";
import { wireType } from "./wire.ts";

/** Reads a document that is embedded in another one. */
export type ReadDocument = (input: MessageInput) => JsonObject;

/** The maximum nesting of messages. Only the schema in a CustomResourceDefinition may come near it. */
const maxDepth = 1_000;

/** The input of one document, with its current limits. */
export class MessageInput {
  readonly reader: Reader;
  readonly #readDocument: ReadDocument;
  #depth: number;

  constructor(bytes: Uint8Array, readDocument: ReadDocument, depth = 0) {
    this.reader = Reader.create(bytes);
    this.#readDocument = readDocument;
    this.#depth = depth;
  }

  /** Reads a length and limits the reader to this many bytes. Returns the outer limit, for `leave`. */
  enter(): number {
    const { reader } = this;
    const end = reader.size() + reader.pos;
    const outer = reader.len;
    if (end > outer) throw unexpectedEnd();
    this.#deeper();
    reader.len = end;
    return outer;
  }

  /** Continues after the part that `enter` started. */
  leave(outer: number): void {
    this.reader.pos = this.reader.len;
    this.reader.len = outer;
    this.#depth--;
  }

  /** Reads an embedded document, which is one level deeper. */
  embedded(bytes: Uint8Array): JsonObject {
    this.#deeper();
    return this.#readDocument(new MessageInput(bytes, this.#readDocument, this.#depth--));
  }

  /** Reads a tag and refuses invalid ones. */
  tag(messageName: string): number {
    const tag = this.reader.tag();
    if ((tag & 7) === wireType.endGroup)
      throw new ProtobufError(`proto: ${messageName}: wiretype end group for non-group`);
    if (tag < 8) throw new ProtobufError(`proto: ${messageName}: illegal tag 0 (wire type ${tag})`);
    return tag;
  }

  /** Reads text. Invalid UTF-8 becomes what Go prints for it in JSON. */
  text(): string {
    const { reader } = this;
    const start = reader.pos;
    const text = reader.string();
    if (!text.includes("\ufffd")) return text;
    reader.pos = start;
    return decodeUtf8(reader.bytes());
  }

  /** Skips an unknown field. A known field gets here only with a wrong wire type. */
  skipUnknown(tag: number, knownNames: readonly string[]): void {
    const name = knownNames[(tag >>> 3) - 1];
    if (name !== undefined) throw wrongWireType(tag & 7, name);
    this.skip(tag & 7);
  }

  /** Skips a field, or a group with all its fields. */
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
