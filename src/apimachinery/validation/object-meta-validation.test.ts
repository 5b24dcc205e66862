import { describe, expect, test } from "vitest";
import { exchangeOf } from "../../../test/conformance/golden-queries.ts";
import { fieldErrorLines } from "../../../test/field-errors.ts";
import { internalTypes, metaV1 } from "../../schema/internal-types.ts";
import { type FieldError, fieldCauses } from "../errors/field.ts";
import type { ObjectMeta } from "../object-meta.ts";
import { sinceOf } from "../release.ts";
import { collectErrors, type Findings } from "./findings.ts";
import { addManagedFieldsErrors } from "./managed-fields-validation.ts";
import { dnsSubdomainName } from "./names.ts";
import {
  addAnnotationErrors,
  addObjectMetaErrors,
  addObjectMetaUpdateErrors,
  addStandardFinalizerErrors,
} from "./object-meta-validation.ts";

const rules = { namespaced: true, validateName: dnsSubdomainName };
const since = sinceOf("1.32");
const goTypes = internalTypes(since, metaV1);

/** The errors for a new object of a built-in kind. */
function created(metadata: ObjectMeta): readonly FieldError[] {
  return fieldCauses(
    [
      ...collectErrors((errors) => addObjectMetaErrors(errors, metadata, rules)),
      ...collectErrors((errors) => addStandardFinalizerErrors(errors, metadata)),
    ],
    since,
    goTypes,
  );
}

/** The causes of a recorded error, without the memory addresses of pointers. */
function recordedCauses(n: number): FieldError[] {
  const body = exchangeOf("crud", n).res.body as {
    details: { causes: { reason: string; message: string; field: string }[] };
  };
  return body.details.causes.map(({ reason, message, field }) => ({
    type: reason as FieldError["type"],
    body: message.replaceAll(/0xc[0-9a-f]{9}/g, "0xc000000000"),
    field,
  }));
}

function recordedMetadata(n: number): ObjectMeta {
  const { metadata = {} } = exchangeOf("crud", n).req.body as { metadata?: ObjectMeta };
  return { ...metadata, namespace: "default" };
}

describe("a new object is rejected with the same message as by a real server", () => {
  test.each([44, 45, 100, 115])("crud %i", (n) => {
    const metadata = recordedMetadata(n);
    const ownerReferences = metadata.ownerReferences?.map((reference) => ({
      ...reference,
      apiVersion: reference.apiVersion ?? "",
      kind: reference.kind ?? "",
      name: reference.name ?? "",
      uid: reference.uid ?? "",
    }));
    expect(created({ ...metadata, ...(ownerReferences && { ownerReferences }) })).toEqual(recordedCauses(n));
  });

  test("crud 48, whose name was generated from a bad prefix", () => {
    expect(created({ ...recordedMetadata(48), name: "X_kgtxr" })).toEqual(recordedCauses(48));
  });
});

const good: ObjectMeta = {
  name: "web",
  namespace: "default",
  uid: "u",
  resourceVersion: "7",
  generation: 2,
  creationTimestamp: "2024-05-01T10:00:00Z",
  labels: { app: "web" },
  annotations: { "Example.com/NOTE": "x y" },
  finalizers: ["example.com/a"],
  ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid: "v", controller: true }],
};

function lines(errors: readonly FieldError[]): readonly string[] {
  return fieldErrorLines(errors);
}

describe("the metadata of a new object", () => {
  test("may be valid", () => {
    expect(created(good)).toEqual([]);
    const { namespace: _, ...clusterScoped } = good;
    expect(
      collectErrors((errors) => addObjectMetaErrors(errors, clusterScoped, { ...rules, namespaced: false })),
    ).toEqual([]);
  });

  test.each<[string, ObjectMeta, readonly (string | RegExp)[]]>([
    ["without a namespace", { name: "a" }, ["metadata.namespace: Required value"]],
    [
      "in a bad namespace",
      { name: "a", namespace: "A" },
      [/^metadata\.namespace: Invalid value: "A": a lowercase RFC 1123 label/],
    ],
    [
      "with a negative generation",
      { ...good, generation: -1 },
      ["metadata.generation: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      "with a bad finalizer",
      { ...good, finalizers: ["a/-"] },
      [/^metadata\.finalizers: Invalid value: "a\/-": name part/],
    ],
    [
      "with an owner of no version",
      { ...good, ownerReferences: [{ apiVersion: "a/b/c", kind: "K", name: "n", uid: "u" }] },
      ['metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty'],
    ],
  ])("%s", (_title, metadata, expected) => {
    expect(lines(created(metadata))).toEqual(
      expected.map((text) => (typeof text === "string" ? text : expect.stringMatching(text))),
    );
  });

  test("must not have a namespace if the kind is cluster-scoped", () => {
    expect(
      lines(collectErrors((errors) => addObjectMetaErrors(errors, good, { ...rules, namespaced: false }))),
    ).toEqual(["metadata.namespace: Forbidden: not allowed on this type"]);
  });

  test("holds up to 256 KiB of annotations, in bytes", () => {
    const tooLong = ["a: Too long: may not be more than 262144 bytes"];
    expect(
      lines(collectErrors((errors) => addAnnotationErrors(errors, { a: "x".repeat(262143) }, "a"))),
    ).toEqual([]);
    expect(
      lines(collectErrors((errors) => addAnnotationErrors(errors, { a: "x".repeat(262144) }, "a"))),
    ).toEqual(tooLong);
    expect(
      lines(collectErrors((errors) => addAnnotationErrors(errors, { a: "é".repeat(131071), b: "" }, "a"))),
    ).toEqual([]);
    expect(
      lines(collectErrors((errors) => addAnnotationErrors(errors, { a: "é".repeat(131072) }, "a"))),
    ).toEqual(tooLong);
  });
});

describe("the metadata of a changed object", () => {
  const terminating = { ...good, deletionTimestamp: "2024-05-01T11:00:00Z", deletionGracePeriodSeconds: 0 };
  test.each<[string, ObjectMeta, ObjectMeta, readonly string[]]>([
    ["may stay as it was", good, good, []],
    ["may change its labels", { ...good, labels: {} }, good, []],
    [
      "needs a resourceVersion",
      { ...good, resourceVersion: "" },
      good,
      ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
    ],
    [
      "does not go back a generation",
      { ...good, generation: 1 },
      good,
      ["metadata.generation: Invalid value: 1: must not be decremented"],
    ],
    [
      "keeps its identity",
      { ...good, name: "x", namespace: "y", uid: "z" },
      good,
      [
        'metadata.name: Invalid value: "x": field is immutable',
        'metadata.namespace: Invalid value: "y": field is immutable',
        'metadata.uid: Invalid value: "z": field is immutable',
      ],
    ],
    [
      "keeps its times",
      {
        ...good,
        creationTimestamp: "2001-02-03T04:05:06Z",
        deletionTimestamp: "2001-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 3,
      },
      good,
      [
        "metadata.creationTimestamp: Invalid value: 2001-02-03 04:05:06 +0000 UTC: field is immutable",
        "metadata.deletionTimestamp: Invalid value: 2001-01-01 00:00:00 +0000 UTC: field is immutable",
        "metadata.deletionGracePeriodSeconds: Invalid value: 3: field is immutable",
      ],
    ],
    [
      "cannot lose its times",
      { ...good, creationTimestamp: null },
      terminating,
      [
        "metadata.creationTimestamp: Invalid value: 0001-01-01 00:00:00 +0000 UTC: field is immutable",
        'metadata.deletionTimestamp: Invalid value: "null": field is immutable',
        'metadata.deletionGracePeriodSeconds: Invalid value: "null": field is immutable',
      ],
    ],
    ["may lose finalizers while terminating", { ...terminating, finalizers: [] }, terminating, []],
    [
      "gets no new finalizers while terminating",
      { ...terminating, finalizers: ["z.io/z", "example.com/a", "b.io/b"] },
      terminating,
      [
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b.io/b", "z.io/z"}',
      ],
    ],
  ])("%s", (_title, metadata, old, expected) => {
    expect(lines(collectErrors((errors) => addObjectMetaUpdateErrors(errors, metadata, old)))).toEqual(
      expected,
    );
  });

  test("is validated twice by most kinds, as crud 84 and 104 show", () => {
    const changed = { ...good, deletionTimestamp: "2001-01-01T00:00:00Z" };
    const once: Findings = [];
    addObjectMetaUpdateErrors(once, changed, good);
    expect(fieldCauses([...once, ...once], since, goTypes)).toEqual(recordedCauses(84));
    const added: Findings = [];
    addObjectMetaUpdateErrors(
      added,
      { ...terminating, finalizers: ["example.com/a", "example.com/b"] },
      terminating,
    );
    expect(fieldCauses([...added, ...added], since, goTypes)).toEqual(recordedCauses(104));
  });
});

test("entries of managedFields require a manager, an operation and a type", () => {
  const entries = [
    { manager: "ok", operation: "Update", fieldsType: "FieldsV1" },
    { manager: "a\u0007é\u0085", operation: "update", fieldsType: "FieldsV2", subresource: "s".repeat(257) },
    { manager: "m".repeat(129), operation: "Apply" },
  ];
  expect(
    lines(collectErrors((errors) => addManagedFieldsErrors(errors, entries, "metadata.managedFields"))),
  ).toEqual([
    'metadata.managedFields[1].operation: Invalid value: "update": must be `Apply` or `Update`',
    'metadata.managedFields[1].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
    'metadata.managedFields[1].manager: Invalid value: "a\\aé\\u0085": invalid character U+0007 (at position 1)',
    'metadata.managedFields[1].manager: Invalid value: "a\\aé\\u0085": invalid character U+0085 (at position 4)',
    "metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes",
    "metadata.managedFields[2].manager: Too long: may not be more than 128 bytes",
  ]);
});
