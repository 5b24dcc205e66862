/**
 * The part of protobufjs that is used here. Its own declarations require Node's types and describe more than its
 * minimal build contains.
 */
declare module "protobufjs/minimal.js" {
  /** A 64-bit integer in two halves. */
  export interface Long {
    readonly low: number;
    readonly high: number;
  }

  /** Reads the wire format from `pos` to `len`. Throws a RangeError beyond `len`. */
  export class Reader {
    static create(bytes: Uint8Array): Reader;
    buf: Uint8Array;
    pos: number;
    len: number;
    tag(): number;
    size(): number;
    uint32(): number;
    int32(): number;
    int64(): Long;
    bool(): boolean;
    double(): number;
    float(): number;
    string(): string;
    bytes(): Uint8Array;
    skip(length?: number): Reader;
  }

  /** Writes the wire format into a buffer that grows. */
  export class Writer {
    static create(): Writer;
    readonly pos: number;
    uint32(value: number): Writer;
    int32(value: number): Writer;
    int64(value: number | string): Writer;
    bool(value: boolean): Writer;
    double(value: number): Writer;
    float(value: number): Writer;
    string(value: string): Writer;
    /** A string is decoded as base64. */
    bytes(value: Uint8Array | string): Writer;
    raw(value: Uint8Array): Writer;
    /** Starts a length-delimited part, which `ldelim` ends. */
    fork(): Writer;
    ldelim(): Writer;
    finish(): Uint8Array;
  }

  export const util: {
    readonly base64: { encode(bytes: Uint8Array, start: number, end: number): string };
  };
}
