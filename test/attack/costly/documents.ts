import { type CostlyRequest, costly, send, times } from "./costly-request.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const json = (body: string, parameters = "") =>
  send("POST", `${configMaps}${parameters}`, "application/json", body);
const yaml = (body: string) => send("POST", configMaps, "application/yaml", body);
const cbor = (body: Uint8Array) => send("POST", configMaps, "application/cbor", body);
const protobuf = (body: Uint8Array) => send("POST", configMaps, "application/vnd.kubernetes.protobuf", body);
const strict = "?fieldValidation=Strict";
const warn = "?fieldValidation=Warn";

/** Bodies that cost their reader much, by format. */
export const costlyDocuments: readonly CostlyRequest[] = costly({
  "JSON: arrays in arrays": (n) => json("[".repeat(n)),
  "JSON: objects in objects": (n) => json('{"a":'.repeat(n)),
  "JSON: blanks": (n) => json(`{${" ".repeat(n)}"metadata":{"name":"costly"}}`),
  "JSON: unknown fields, strict": (n) =>
    json(`{"metadata":{"name":"costly"}${times(n, (i) => `,"a${i}":1`).join("")}}`, strict),
  "JSON: unknown fields, with warnings": (n) =>
    json(`{"metadata":{"name":"costly"}${times(n, (i) => `,"a${i}":1`).join("")}}`, warn),
  "JSON: the same field, strict": (n) =>
    json(`{"metadata":{"name":"costly"}${',"data":{}'.repeat(n)}}`, strict),
  "JSON: the same field, with warnings": (n) =>
    json(`{"metadata":{"name":"costly"}${',"data":{}'.repeat(n)}}`, warn),
  "JSON: fields that occur twice, strict": (n) =>
    json(`{"metadata":{"name":"costly"},"data":{${times(2 * n, (i) => `"a${i % n}":""`).join()}}}`, strict),
  "JSON: fields in another case": (n) =>
    json(`{"metadata":{"name":"costly"}${',"DATA":{}'.repeat(n)}}`, strict),
  "JSON: a number of digits": (n) => json(`{"data":${"1".repeat(n)}}`),
  "JSON: an exponent": (n) => json(`{"data":1e${"1".repeat(n)}}`),
  "JSON: escapes": (n) => json(`{"metadata":{"name":"costly"},"data":{"a":"${"\\u0041".repeat(n)}"}}`),
  "JSON: an open string": (n) => json(`{"metadata":{"name":"${"\\\\".repeat(n)}`),
  "JSON: halves of surrogate pairs": (n) =>
    json(`{"metadata":{"name":"costly"},"data":{"a":"${"\\ud800".repeat(n)}"}}`),
  "JSON: invalid UTF-8": (n) =>
    send("POST", configMaps, "application/json", Uint8Array.from(times(n, () => 0xff))),
  "JSON: an error at the end": (n) => json(`{"data":{${times(n, (i) => `"a${i}":""`).join()}}x`),
  "JSON: a field of the wrong type at the end": (n) =>
    json(`{"data":{${times(n, (i) => `"a${i}":""`).join()},"b":1}}`),
  "JSON: a long key": (n) => json(`{"metadata":{"name":"costly"},"${"a".repeat(n)}":1}`, strict),
  "YAML: documents": (n) => yaml("---\n".repeat(n)),
  "YAML: anchors": (n) => yaml(times(n, (i) => `a${i}: &a${i} 1\n`).join("")),
  "YAML: aliases": (n) => yaml(`a: &a 1\n${times(n, (i) => `b${i}: *a\n`).join("")}`),
  "YAML: aliases of aliases": (n) =>
    yaml(`a0: &a0 [1]\n${times(n, (i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join("")}`),
  "YAML: the same anchor": (n) => yaml(times(n, (i) => `a${i}: &a 1\n`).join("")),
  "YAML: lists in lists": (n) => yaml("- ".repeat(n)),
  "YAML: flow lists": (n) => yaml("[".repeat(n)),
  "YAML: flow maps": (n) => yaml("{a: ".repeat(n)),
  "YAML: complex keys": (n) => yaml("? ".repeat(n)),
  "YAML: indented maps": (n) => yaml(times(Math.min(n, 1000), (i) => `${" ".repeat(i)}a:\n`).join("")),
  "YAML: keys": (n) => yaml(`data:\n${times(n, (i) => `  a${i}: b\n`).join("")}metadata: {name: costly}\n`),
  "YAML: keys that occur twice": (n) => yaml(times(2 * n, (i) => `a${i % n}: b\n`).join("")),
  "YAML: merge keys": (n) => yaml(`a: &a {b: 1}\nc:\n${"  <<: *a\n".repeat(n)}`),
  "YAML: a merge of many maps": (n) => yaml(`a: &a {b: 1}\nc:\n  <<: [${"*a, ".repeat(n)}]\n`),
  "YAML: a long plain scalar": (n) => yaml(`data: ${"a b ".repeat(n)}`),
  "YAML: blanks after a scalar": (n) => yaml(`data: a${" ".repeat(n)}b`),
  "YAML: a plain scalar of lines": (n) => yaml(`data:\n${"  a\n".repeat(n)}`),
  "YAML: empty lines in a scalar": (n) => yaml(`data: a\n${"\n".repeat(n)}  b\n`),
  "YAML: a folded scalar": (n) => yaml(`data:\n  a: >\n${"    a\n\n".repeat(n)}metadata: {name: costly}\n`),
  "YAML: a literal scalar": (n) => yaml(`data:\n  a: |\n${"    a\n".repeat(n)}metadata: {name: costly}\n`),
  "YAML: empty lines before a block": (n) => yaml(`data:\n  a: |\n${"\n".repeat(n)}    a\n`),
  "YAML: blank lines before a block": (n) =>
    yaml(`data:\n  a: |\n${times(Math.min(n, 1000), (i) => `${" ".repeat(i)}\n`).join("")}`),
  "YAML: a double-quoted scalar": (n) => yaml(`data: "${"a\\n\n ".repeat(n)}"`),
  "YAML: an open quote": (n) => yaml(`data: "${"a\n".repeat(n)}`),
  "YAML: single quotes": (n) => yaml(`data: '${"''".repeat(n)}'`),
  "YAML: comments": (n) => yaml("# a\n".repeat(n)),
  "YAML: hashes": (n) => yaml(`a: ${"#".repeat(n)}`),
  "YAML: colons": (n) => yaml(`${"a:".repeat(n)}`),
  "YAML: colons with blanks": (n) => yaml(`${"a: ".repeat(n)}`),
  "YAML: tags": (n) => yaml("- !!str a\n".repeat(n)),
  "YAML: a long tag": (n) => yaml(`a: !${"%41".repeat(n)} b`),
  "YAML: directives": (n) => yaml("%TAG !a! b\n".repeat(n)),
  "YAML: tabs": (n) => yaml(`a:${"\t".repeat(n)}b`),
  "YAML: dashes": (n) => yaml("-".repeat(n)),
  "YAML: numbers": (n) => yaml(`data: {a: ${"1".repeat(n)}}`),
  "YAML: an underscored number": (n) => yaml(`data: {a: ${"1_".repeat(n)}}`),
  "YAML: a sexagesimal number": (n) => yaml(`data: {a: ${"1:".repeat(n)}1}`),
  "YAML: a flow list of lines": (n) => yaml(`a: [${"b,\n".repeat(n)}]`),
  "YAML: a long key": (n) => yaml(`${"a".repeat(n)}: b`),
  "YAML: empty flow entries": (n) => yaml(`a: {${",".repeat(n)}}`),
  "CBOR: arrays in arrays": (n) => cbor(repeated([0x81], n)),
  "CBOR: endless arrays": (n) => cbor(repeated([0x9f], n)),
  "CBOR: maps in maps": (n) => cbor(repeated([0xa1, 0x41, 0x61], n)),
  "CBOR: tags": (n) => cbor(repeated([0xc6], n)),
  "CBOR: pieces of a string": (n) => cbor(bytes([0xa1, 0x41, 0x61, 0x7f], repeated([0x61, 0x61], n), [0xff])),
  "CBOR: pieces of bytes": (n) => cbor(bytes([0xa1, 0x41, 0x61, 0x5f], repeated([0x41, 0x61], n), [0xff])),
  "CBOR: empty pieces": (n) => cbor(bytes([0xa1, 0x41, 0x61, 0x7f], repeated([0x60], n), [0xff])),
  "CBOR: the same key": (n) => cbor(bytes([0xbf], repeated([0x41, 0x61, 0x01], n), [0xff])),
  "CBOR: keys": (n) => cbor(bytes([0xbf], ...times(n, (i) => [0x44, ...digits(i), 0x01]), [0xff])),
  "CBOR: a long integer": (n) => cbor(bytes([0xa1, 0x41, 0x61, 0xc2, 0x5a], word(n), repeated([0x11], n))),
  "CBOR: elements": (n) => cbor(bytes([0x9a], word(n), repeated([0x01], n))),
  "protobuf: unknown fields": (n) => protobuf(configMap(repeated([0x78, 0x01], n))),
  "protobuf: the same message": (n) => protobuf(configMap(repeated([0x0a, 0x03, 0x0a, 0x01, 0x61], n))),
  "protobuf: the same message, which grows": (n) =>
    protobuf(configMap(bytes(...times(n, () => [0x0a, 0x05, 0x72, 0x03, 0x61, 0x62, 0x63])))),
  "protobuf: entries of a map": (n) =>
    protobuf(configMap(bytes(...times(n, (i) => [0x12, 0x06, 0x0a, 0x04, ...digits(i)])))),
  "protobuf: the same entry of a map": (n) =>
    protobuf(configMap(repeated([0x12, 0x03, 0x0a, 0x01, 0x61], n))),
  "protobuf: groups": (n) => protobuf(configMap(repeated([0x7b], n))),
  "protobuf: long integers": (n) => protobuf(configMap(repeated([0xff], n))),
  "protobuf: a long name of the kind": (n) => protobuf(envelope(repeated([0x61], n), new Uint8Array())),
});

/** Four letters that differ for each number below 14 million. */
function digits(i: number): number[] {
  return [0, 1, 2, 3].map((place) => 0x61 + (Math.floor(i / 26 ** place) % 26));
}

function repeated(piece: readonly number[], size: number): Uint8Array {
  const all = new Uint8Array(piece.length * size);
  for (let i = 0; i < all.length; i += 1) all[i] = piece[i % piece.length] ?? 0;
  return all;
}

function bytes(...pieces: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** A number as four bytes, the highest first. */
function word(n: number): number[] {
  return [24, 16, 8, 0].map((shift) => (n >>> shift) & 0xff);
}

/** A length as protobuf writes it. */
function varint(n: number): number[] {
  return n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...varint(n >>> 7)];
}

function field(tag: number, value: Uint8Array): Uint8Array {
  return bytes([tag], varint(value.length), value);
}

/** The envelope of an object: magic bytes, its type and its message. */
function envelope(kind: Uint8Array, message: Uint8Array): Uint8Array {
  const type = bytes(field(0x0a, new TextEncoder().encode("v1")), field(0x12, kind));
  return bytes([0x6b, 0x38, 0x73, 0x00], field(0x0a, type), field(0x12, message));
}

/** A ConfigMap with a name and these fields. */
function configMap(fields: Uint8Array): Uint8Array {
  const metadata = field(0x0a, field(0x0a, new TextEncoder().encode("costly")));
  return envelope(new TextEncoder().encode("ConfigMap"), bytes(metadata, fields));
}
