import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kindArbitrary } from "../../../test/arbitraries/schema-arbitrary.ts";
import { StepCounter } from "../../../test/steps.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { decodeProtobuf, encodeProtobuf } from "./protobuf.ts";
import { ProtobufError } from "./protobuf-error.ts";

const catalog = catalogOf({ release: "1.32" });
const pod = { group: "", version: "v1", kind: "Pod" };
const crd = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
const revision = { group: "apps", version: "v1", kind: "ControllerRevision" };
const review = { group: "authentication.k8s.io", version: "v1", kind: "TokenReview" };

/** Decodes arbitrary bytes; the only allowed error is a ProtobufError. */
function attempt(bytes: Uint8Array, gvk: GroupVersionKind = pod): ProtobufError | undefined {
  try {
    decodeProtobuf(bytes, (kind) => catalog.kind(kind), gvk);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ProtobufError);
    return error as ProtobufError;
  }
}

function schema(gvk: GroupVersionKind): StructSchema {
  const found = catalog.kind(gvk);
  if (found === undefined) throw new Error(`no ${gvk.kind}`);
  return found;
}

/** A document of a kind with any message. */
function document(message: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from("k8s\0"), field(2, message)]);
}

/** A part of a message: tag, length and content. */
function field(number: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([head(number, content.length), content]);
}

function head(number: number, length: number): Uint8Array {
  return Uint8Array.from([...varint((number << 3) | 2), ...varint(length)]);
}

function varint(value: number): number[] {
  return value > 0x7f ? [(value & 0x7f) | 0x80, ...varint(value >>> 7)] : [value];
}

describe.each([pod, crd, revision, review])("a $kind", (gvk) => {
  const encoded = kindArbitrary(gvk, schema(gvk)).map((object) => encodeProtobuf(schema(gvk), object));

  test("of random bytes is refused or decoded", () => {
    const random = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(random, (bytes) => void attempt(document(bytes), gvk)),
      { numRuns: 2_000 },
    );
  });

  test("truncated anywhere is refused or decoded", () => {
    const cut = fc.tuple(encoded, fc.nat()).map(([bytes, at]) => bytes.subarray(0, at % bytes.length));
    fc.assert(
      fc.property(cut, (bytes) => void attempt(bytes, gvk)),
      { numRuns: 150 },
    );
  });

  test("with some changed bytes is refused or decoded", () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(encoded, changes, (bytes, all) => {
        const changed = Uint8Array.from(bytes);
        for (const [at, byte] of all) changed[at % changed.length] = byte;
        attempt(changed, gvk);
      }),
      { numRuns: 150 },
    );
  });
});

describe("unlimited nesting", () => {
  /** `spec.versions[0].schema.openAPIV3Schema` of a CustomResourceDefinition. */
  const aroundSchema = (properties: Uint8Array): Uint8Array =>
    document(field(2, field(7, field(4, field(1, properties)))));

  /** Nested parts. */
  function nested(number: number, depth: number): Uint8Array {
    const heads: Uint8Array[] = [];
    let length = 0;
    for (let i = 0; i < depth; i++) {
      const next = head(number, length);
      heads.push(next);
      length += next.length;
    }
    return Buffer.concat(heads.reverse());
  }

  /** The field number of `not`, which contains a nested schema. */
  const not = 28;

  test("of schemas is refused", () => {
    const error = attempt(aroundSchema(nested(not, 100_000)), crd);
    expect(error?.message).toBe("proto: nested deeper than 1000 messages");
  });

  test("of a realistic number of schemas is decoded", () => {
    expect(attempt(aroundSchema(nested(not, 500)), crd)).toBeUndefined();
  });

  test("of documents in documents is refused", () => {
    let data: Uint8Array = new Uint8Array(0);
    const typeMeta = field(
      1,
      Buffer.concat([field(1, Buffer.from("apps/v1")), field(2, Buffer.from("ControllerRevision"))]),
    );
    for (let i = 0; i < 600; i++) {
      data = field(2, field(1, Buffer.concat([Buffer.from("k8s\0"), typeMeta, field(2, data)])));
    }
    expect(attempt(document(data), revision)?.message).toBe("proto: nested deeper than 1000 messages");
  });

  test("of unknown groups is skipped", () => {
    const open = new Uint8Array(100_000).fill((1_000 << 3) | 3);
    for (let i = 0; i < open.length; i += 2) open.set([0xc3, 0x3e], i);
    expect(attempt(document(open))?.message).toBe("unexpected EOF");
  });
});

test("3 MB of invalid UTF-8 are decoded, and in linear time", () => {
  const decode = (size: number) => attempt(document(field(1, field(1, new Uint8Array(size).fill(0xff)))));
  expect(decode(3_000_000)).toBeUndefined();
  using counter = new StepCounter();
  expect(counter.growthOf(decode, 5_000)).toBeLessThan(2.5);
});

test("excessive lengths are refused", () => {
  const huge = Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x07);
  expect(attempt(document(huge))?.message).toBe("unexpected EOF");
  const negative = Uint8Array.of(0x0a, ...Array<number>(9).fill(0xff), 1);
  expect(attempt(document(negative))?.message).toBe("proto: negative length found during unmarshaling");
});
