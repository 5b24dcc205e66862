import { describe, expect, test } from "vitest";
import { builtinObject, builtinTestKind, OwnedObject } from "../../../test/arbitraries/owned-object.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { managedFieldsProblem } from "./field-manager.ts";

const configMap = (): OwnedObject => builtinObject("v1", "ConfigMap");
const second = (n: number): string => `1970-01-01T00:00:0${n}Z`;

function refusal(change: () => unknown): readonly [code: number, message: string] {
  try {
    change();
  } catch (error) {
    if (error instanceof StatusError) return [error.code, error.message];
    throw error;
  }
  return [200, "none"];
}

describe("an entry of managedFields", () => {
  test("has manager, operation, version, time and fields, in the order of the wire", () => {
    const object = configMap().write("me", { metadata: { labels: { a: "b" } }, data: { k: "v" } });
    expect(JSON.stringify(object.entries)).toBe(
      JSON.stringify([
        {
          manager: "me",
          operation: "Update",
          apiVersion: "v1",
          time: second(1),
          fieldsType: "FieldsV1",
          fieldsV1: {
            "f:data": { ".": {}, "f:k": {} },
            "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
          },
        },
      ]),
    );
  });

  test("has the subresource last", () => {
    const object = builtinObject("v1", "Pod").write("me", { spec: { nodeName: "n" } });
    object.through("status", ["spec"]).patch("kubelet", { spec: null, status: { phase: "Running" } });
    const [entry] = object.entries.filter(({ manager }) => manager === "kubelet");
    expect(Object.keys(entry ?? {}).at(-1)).toBe("subresource");
    expect(object.owners()).toEqual({
      "me (Update v1)": [".spec.nodeName"],
      "kubelet (Update v1 through status)": [".status.phase"],
    });
  });

  test("has the manager unknown if the request names none", () => {
    expect(
      Object.keys(
        configMap()
          .write("", { data: { a: "1" } })
          .owners(),
      ),
    ).toEqual(["unknown (Update v1)"]);
  });

  test("never contains fields that the server writes or that identify the object", () => {
    const metadata = {
      namespace: "n",
      uid: "2",
      generation: 3,
      creationTimestamp: second(0),
      resourceVersion: "4",
      selfLink: "/",
    };
    expect(configMap().write("me", { metadata }).entries).toEqual([]);
    expect(configMap().apply("me", { metadata }).entries).toEqual([]);
  });

  test("contains generateName, labels, annotations, finalizers and owners", () => {
    const metadata = {
      generateName: "g-",
      annotations: { a: "1" },
      finalizers: ["x.io/f"],
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }],
    };
    expect(configMap().apply("me", { metadata }).owners()["me"]).toEqual([
      ".metadata.generateName",
      ".metadata.annotations.a",
      '.metadata.finalizers[="x.io/f"]',
      '.metadata.ownerReferences[uid="u"]',
    ]);
  });

  test("does not contain fields that every new object of the kind has", () => {
    const object = builtinObject("v1", "Service").write("me", { spec: {}, status: {} });
    expect(object.entries).toEqual([]);
  });
});

describe("the order of entries", () => {
  test("is applies first, then by time, then by name", () => {
    const object = configMap()
      .write("z", { data: { a: "1" } })
      .apply("m", { data: { a: "1" } })
      .patch("b", { data: { a: "1", b: "1" } })
      .apply("c", { data: { c: "1" } });
    expect(object.entries.map(({ manager, time = null }) => [manager, time])).toEqual([
      // An apply that changes nothing has no time.
      ["m", null],
      ["c", second(4)],
      ["z", second(1)],
      ["b", second(3)],
    ]);
  });

  test("has one entry for each version and subresource of an updater, and one for each subresource of an applier", () => {
    const deployment = builtinObject("apps/v1", "Deployment").write("me", { spec: { replicas: 1 } });
    deployment.through("status", []).patch("me", { status: { replicas: 1 } });
    deployment.apply("me", { spec: { replicas: 1 } });
    expect(Object.keys(deployment.owners())).toEqual([
      "me",
      "me (Update apps/v1)",
      "me (Update apps/v1 through status)",
    ]);
  });
});

describe("the time of an entry", () => {
  const timesOf = (object: OwnedObject): readonly JsonValue[] =>
    object.entries.map(({ time = null }) => time);

  test("changes when its manager changes something", () => {
    const object = configMap().write("me", { data: { a: "1" } });
    expect(timesOf(object.patch("me", { data: { a: "2" } }))).toEqual([second(2)]);
    expect(timesOf(object.patch("me", { data: { a: "2" } }))).toEqual([second(2)]);
  });

  test("stays when other managers change something, even if it loses fields", () => {
    const object = configMap()
      .write("a", { data: { a: "1", b: "1" } })
      .patch("b", { data: { a: "1", b: "2" } });
    expect(timesOf(object)).toEqual([second(1), second(2)]);
    expect(object.owners()).toEqual({ "a (Update v1)": [".data", ".data.a"], "b (Update v1)": [".data.b"] });
  });

  test("stays when an apply changes nothing, and so does the object", () => {
    const object = configMap().apply("me", { data: { a: "1" } });
    const { live } = object;
    expect(object.apply("me", { data: { a: "1" } }).live).toEqual(live);
  });
});

describe("entries that a client sends", () => {
  const entries = (object: OwnedObject): JsonValue => [...object.entries];
  const created = (): OwnedObject => configMap().write("me", { data: { a: "1" } });
  const sent = (managedFields: JsonValue, data: JsonObject = { a: "1" }): JsonObject => ({
    metadata: { managedFields },
    data,
  });

  test.each<[string, JsonValue]>([
    ["an empty list", []],
    ["a list with one empty entry", [{}]],
    ["a list with one entry in which no field is set", [{ manager: "", time: null }]],
  ])("%s resets managedFields, and the next apply starts tracking", (_title, managedFields) => {
    const object = created().write("w", sent(managedFields, { a: "2" }));
    expect(object.entries).toEqual([]);
    expect(object.patch("w", { data: { a: "3" } }).entries).toEqual([]);
    expect(object.apply("me", { data: { a: "3" } }).owners()).toEqual({
      me: [".data.a"],
      "before-first-apply (Update v1)": [".data", ".data.a"],
    });
  });

  test.each<[string, JsonValue]>([
    ["null", null],
    ["two empty entries", [{}, {}]],
    ["an unknown operation", [{ manager: "x", operation: "Zork", apiVersion: "v1", fieldsType: "FieldsV1" }]],
    ["no version", [{ manager: "x", operation: "Update", fieldsType: "FieldsV1" }]],
    ["no fieldsType", [{ manager: "x", operation: "Update", apiVersion: "v1" }]],
    [
      "invalid fields",
      [{ manager: "x", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { a: {} } }],
    ],
  ])("with %s are ignored", (_title, managedFields) => {
    const object = created();
    const before = entries(object);
    expect(entries(object.write("w", sent(managedFields)))).toEqual(before);
  });

  test("replace the live entries if they are valid", () => {
    const entry = {
      manager: "x",
      operation: "Apply",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:a": {} } },
    };
    expect(
      created()
        .write("w", sent([entry]))
        .owners(),
    ).toEqual({ x: [".data.a"] });
    expect(
      created()
        .write("w", sent([entry], { a: "2" }))
        .owners(),
    ).toEqual({ "w (Update v1)": [".data.a"] });
  });

  test("through a subresource are ignored", () => {
    const object = created();
    object.through("status", []).write("w", sent([]));
    expect(Object.keys(object.owners())).toEqual(["me (Update v1)"]);
  });

  test("in a create are kept", () => {
    const entry = {
      manager: "x",
      operation: "Apply",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { "f:z": {} } },
    };
    expect(
      Object.keys(
        configMap()
          .write("me", sent([entry]))
          .owners(),
      ),
    ).toEqual(["x", "me (Update v1)"]);
    expect(
      Object.keys(
        configMap()
          .write("me", sent([{}]))
          .owners(),
      ),
    ).toEqual(["me (Update v1)"]);
  });

  test("are checked again after admission", () => {
    expect(managedFieldsProblem(undefined)).toBeUndefined();
    expect(managedFieldsProblem([{ operation: "Zork" }])).toBe("operation must be `Apply` or `Update`");
    expect(managedFieldsProblem([{ operation: "Apply" }])).toBe("apiVersion must not be empty");
    expect(managedFieldsProblem([{ operation: "Apply", apiVersion: "v1" }])).toBe(
      "missing fieldsType in managed fields entry 0",
    );
    expect(managedFieldsProblem([{ operation: "Apply", apiVersion: "v1", fieldsType: "F2" }])).toBe(
      'invalid fieldsType "F2" in managed fields entry 0',
    );
  });
});

describe("an object from before field tracking", () => {
  const untracked = (): OwnedObject =>
    configMap()
      .write("w", { data: { a: "1", b: "2" } })
      .write("w", { metadata: { managedFields: [{}] }, data: { a: "1", b: "2" } });

  test("stays untracked after an update", () => {
    expect(untracked().patch("w", { data: { a: "2" } }).entries).toEqual([]);
  });

  test("belongs to before-first-apply after the first apply", () => {
    const object = untracked();
    expect(refusal(() => object.apply("me", { data: { a: "2" } }))).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
    ]);
    expect(object.apply("me", { data: { a: "2" } }, "forced").owners()).toEqual({
      me: [".data.a"],
      "before-first-apply (Update v1)": [".data", ".data.b"],
    });
  });
});

describe("an apply is refused", () => {
  test.each<[string, JsonObject, number, string]>([
    ["of another kind", { kind: "Secret" }, 400, "invalid object type: /v1, Kind=Secret"],
    ["of another version", { apiVersion: "v2" }, 400, "invalid object type: /v2, Kind=ConfigMap"],
    ["of another group", { apiVersion: "apps/v1" }, 400, "invalid object type: apps/v1, Kind=ConfigMap"],
    ["of no kind", { kind: "" }, 400, "invalid object type: /v1, Kind="],
    ["of an invalid version", { apiVersion: "a/b/c" }, 400, "invalid object type: /, Kind="],
    ["with managedFields", { metadata: { managedFields: [] } }, 400, "metadata.managedFields must be nil"],
    [
      "with an unknown field",
      { foo: 1 },
      500,
      "failed to create typed patch object (/x; /v1, Kind=ConfigMap): .foo: field not declared in schema",
    ],
    [
      "with a field of another type, in a namespace",
      { metadata: { namespace: "n" }, data: "str" },
      500,
      "failed to create typed patch object (n/x; /v1, Kind=ConfigMap): .data: expected map, got &{str}",
    ],
  ])("%s", (_title, config, code, message) => {
    expect(refusal(() => configMap().apply("me", config))).toEqual([code, message]);
  });

  test("to an object with invalid entries", () => {
    const kind = builtinTestKind("v1", "ConfigMap");
    const live = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "x", uid: "1", managedFields: [{ operation: "Zork" }] },
    };
    const object = new OwnedObject(kind, { live, seconds: 0 });
    expect(refusal(() => object.apply("me", {}))).toEqual([
      500,
      "failed to decode managed fields: operation must be `Apply` or `Update`",
    ]);
  });

  test("for the fields of several managers, listed by manager", () => {
    const object = configMap()
      .apply("m1", { metadata: { labels: { l: "1" } }, data: { k: "v", x: "y" } })
      .apply("m2", { data: { k: "v" } });
    object.through("status", []).patch("m3", { immutable: true });
    const change = (): unknown =>
      object.apply("m4", { metadata: { labels: { l: "2" } }, data: { k: "w", x: "z" }, immutable: false });
    expect(refusal(change)).toEqual([
      409,
      [
        'Apply failed with 5 conflicts: conflicts with "m1":',
        "- .data.k",
        "- .data.x",
        "- .metadata.labels.l",
        'conflicts with "m2":',
        "- .data.k",
        'conflicts with "m3" with subresource "status" using v1:',
        "- .immutable",
      ].join("\n"),
    ]);
  });

  test("with one cause for each field", () => {
    const object = configMap().apply("m1", { data: { a: "1" } });
    try {
      object.apply("m2", { data: { a: "2" } });
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      expect(error.status).toEqual({
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: 'Apply failed with 1 conflict: conflict with "m1": .data.a',
        reason: "Conflict",
        details: {
          causes: [{ reason: "FieldManagerConflict", message: 'conflict with "m1"', field: ".data.a" }],
        },
        code: 409,
      });
    }
  });
});

describe("fields that an endpoint resets", () => {
  const deployment = (): OwnedObject =>
    new OwnedObject(builtinTestKind("apps/v1", "Deployment"), undefined, "", ["status"]);

  test("are not owned through it, and do not conflict there", () => {
    const object = deployment().apply("a", { spec: { replicas: 1 }, status: { replicas: 7 } });
    expect(object.owners()).toEqual({ a: [".spec.replicas"] });
    object.through("status", ["spec"]).patch("ctrl", { status: { replicas: 1 } });
    expect(Object.keys(object.apply("b", { status: { replicas: 9 } }).owners())).toEqual([
      "a",
      "ctrl (Update apps/v1 through status)",
    ]);
  });

  test("keep their owners when it writes over them", () => {
    const object = deployment().write("a", { spec: { replicas: 1 } });
    object.through("status", ["spec"]).patch("ctrl", { status: { replicas: 1 } });
    expect(
      object.patch("b", { status: { replicas: 2 } }).owners()["ctrl (Update apps/v1 through status)"],
    ).toEqual([".status.replicas"]);
  });
});

test("an applied null is owned, and clears a scalar but not a map", () => {
  const object = builtinObject("v1", "ConfigMap").apply("a", { immutable: true, data: { k: "v" } });
  object.apply("a", { immutable: null, data: { k: "v" } });
  expect(object.live["immutable"]).toBeUndefined();
  expect(object.owners()).toEqual({ a: [".immutable", ".data.k"] });
  expect(object.apply("a", { data: { k: "v" } }).apply("b", { data: null }).live["data"]).toEqual({ k: "v" });
});
