import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encodeCbor } from "../../src/codec/cbor/cbor.ts";
import type { JsonObject, JsonValue } from "../../src/index.ts";
import { ApplyServer, configMaps, configOf, deployments, patchTypes } from "./apply-server.ts";

let server: ApplyServer;
beforeEach(() => {
  server = new ApplyServer();
});
afterEach(() => server.cluster.close());

const at = `${configMaps}/c`;
const configMap = (more: JsonObject): JsonObject => configOf("v1", "ConfigMap", at, more);
const deployment = (spec: JsonObject): JsonObject =>
  configOf("apps/v1", "Deployment", "/d", {
    spec: {
      selector: { matchLabels: { app: "d" } },
      template: { metadata: { labels: { app: "d" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      ...spec,
    },
  });
const apply = { contentType: patchTypes.apply, manager: "m" };

/** The response to an apply of a ConfigMap, if it is an error. */
async function refusal(config: JsonObject | string, query = ""): Promise<readonly [number, string]> {
  const { code, message } = await server.apply(at, config, "m", query);
  return [code, message];
}

describe("an apply is refused", () => {
  beforeEach(async () => {
    expect((await server.apply(at, configMap({ data: { a: "1" } }), "m")).code).toBe(201);
  });

  test("without fieldManager, which the User-Agent does not replace", async () => {
    const answer = await server.send("PATCH", at, configMap({}), {
      contentType: patchTypes.apply,
      agent: "me/1",
    });
    expect(answer).toMatchObject({
      code: 422,
      message:
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    });
  });

  const notNil = "metadata.managedFields must be nil";
  const typed = "failed to create typed patch object (/c; /v1, Kind=ConfigMap)";
  test.each<[string, JsonObject, number, string]>([
    ["with managedFields", { metadata: { managedFields: [] } }, 400, notNil],
    ["with an entry of managedFields", { metadata: { managedFields: [{ manager: "x" }] } }, 400, notNil],
    [
      "with managedFields that are not entries",
      { metadata: { managedFields: ["x"] } },
      500,
      `${typed}: .metadata.managedFields: expected map, got &{x}`.replace("Fields: e", "Fields[0]: e"),
    ],
    [
      "with managedFields that are not a list",
      { metadata: { managedFields: {} } },
      500,
      `${typed}: .metadata.managedFields: expected list, got &{map[]}`,
    ],
    ["with another version", { apiVersion: "v2" }, 400, "invalid object type: /v2, Kind=ConfigMap"],
    ["with another kind", { kind: "Secret" }, 400, "invalid object type: /v1, Kind=Secret"],
    [
      "with another name",
      { metadata: { name: "other" } },
      400,
      "the name of the object (other) does not match the name on the URL (c)",
    ],
    [
      "with another namespace",
      { metadata: { namespace: "other" } },
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
    [
      "with another uid",
      { metadata: { uid: "other" } },
      422,
      'ConfigMap "c" is invalid: metadata.uid: Invalid value: "other": field is immutable',
    ],
    [
      "with an old resourceVersion",
      { metadata: { resourceVersion: "1" } },
      409,
      'Operation cannot be fulfilled on configmaps "c": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      "with an invalid resourceVersion",
      { metadata: { resourceVersion: "x" } },
      500,
      'strconv.ParseUint: parsing "x": invalid syntax',
    ],
    ["with an unknown field", { foo: 1 }, 500, `${typed}: .foo: field not declared in schema`],
    [
      "with a number as the name",
      { metadata: { name: 5 } },
      500,
      "failed to create typed patch object (/; /v1, Kind=ConfigMap): .metadata.name: expected string, got &value.valueUnstructured{Value:5}",
    ],
  ])("%s", async (_title, more, code, message) => {
    const before = await server.get(at);
    expect(await refusal({ ...configMap({}), ...configMap(more), ...more, ...nameIn(more) })).toEqual([
      code,
      message,
    ]);
    expect(await server.get(at)).toEqual(before);
  });

  function nameIn({ metadata = {} }: JsonObject): JsonObject {
    return { metadata: { name: "c", ...(metadata as JsonObject) } };
  }

  test("but not with the current resourceVersion, or with managedFields that are null", async () => {
    const { resourceVersion = "" } = (await server.get(at)).metadata;
    expect(await refusal(configMap({ metadata: { resourceVersion, managedFields: null } }))).toEqual([
      200,
      "",
    ]);
  });

  test("with an unknown content type", async () => {
    const contentType = "application/apply-patch+json";
    expect((await server.send("PATCH", at, configMap({}), { manager: "m", contentType })).code).toBe(415);
  });
});

describe("force", () => {
  test.each([
    ["merge", {}],
    ["strategic", {}],
    ["json", []],
  ] as const)("is refused for a %s patch", async (type, body) => {
    await server.send("POST", configMaps, configMap({}));
    for (const force of ["true", "false"]) {
      const sending = { contentType: patchTypes[type], query: `force=${force}` };
      expect(await server.send("PATCH", at, body, sending)).toMatchObject({
        code: 422,
        message:
          'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
      });
    }
  });

  test("is allowed for an apply, and has no effect without conflicts", async () => {
    expect((await server.apply(at, configMap({ data: { a: "1" } }), "m", "force=true")).code).toBe(201);
    expect((await server.apply(at, configMap({ data: { a: "1" } }), "m", "force=false")).code).toBe(200);
  });
});

describe("an apply that creates the object", () => {
  test("needs a name, but no resourceVersion", async () => {
    const nameless = { apiVersion: "v1", kind: "ConfigMap" };
    expect(await refusal(nameless)).toEqual([
      400,
      "the name of the object (c based on URL) was undeterminable: name must be provided",
    ]);
    expect((await server.apply(at, configMap({ metadata: { resourceVersion: "5" } }), "m")).code).toBe(201);
    expect((await server.apply(at, nameless, "m")).code).toBe(200);
  });

  test("is refused if it specifies a uid", async () => {
    const mismatch =
      'Operation cannot be fulfilled on configmaps "c": uid mismatch: the provided object specified uid abc, and no existing object was found';
    expect(await refusal(configMap({ metadata: { uid: "abc" } }))).toEqual([409, mismatch]);
    // A type error is reported first.
    const [code] = await refusal(configMap({ metadata: { uid: "abc" }, foo: 1 }));
    expect(code).toBe(500);
  });

  test("requires permission to create", async () => {
    server = new ApplyServer({ authorizationMode: "RBAC", objects: patchersOf("configmaps") });
    const token = server.cluster.token("alice");
    const sending = { ...apply, token };
    expect(await server.send("PATCH", at, configMap({ data: { a: "1" } }), sending)).toMatchObject({
      code: 403,
      message:
        'configmaps "c" is forbidden: User "alice" cannot create resource "configmaps" in API group "" in the namespace "default"',
    });
    await server.send("POST", configMaps, configMap({}));
    expect((await server.send("PATCH", at, configMap({ data: { a: "1" } }), sending)).code).toBe(200);
  });

  test("is refused through a subresource, regardless of its body", async () => {
    const status = `${deployments}/d/status`;
    for (const body of [deployment({}), "{{{", "[]"]) {
      expect(await server.apply(status, body, "m")).toMatchObject({
        code: 404,
        message: 'deployments.apps "d" not found',
      });
    }
  });

  test("stores nothing in a dry run", async () => {
    const answer = await server.apply(at, configMap({ data: { a: "1" } }), "m", "dryRun=All");
    expect(answer).toMatchObject({ code: 201, object: { data: { a: "1" } } });
    expect((await server.send("GET", at)).code).toBe(404);
  });
});

/** Alice may only patch. */
function patchersOf(resource: string): JsonObject[] {
  const apiVersion = "rbac.authorization.k8s.io/v1";
  return [
    {
      apiVersion,
      kind: "ClusterRole",
      metadata: { name: "patchers" },
      rules: [{ apiGroups: [""], resources: [resource], verbs: ["patch"] }],
    },
    {
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata: { name: "patchers" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "patchers" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
    },
  ];
}

describe("a dry run", () => {
  test("reports conflicts, and changes nothing", async () => {
    await server.apply(at, configMap({ data: { a: "1" } }), "a");
    const before = await server.get(at);
    const two = configMap({ data: { a: "2" } });
    expect((await server.apply(at, two, "b", "dryRun=All")).code).toBe(409);
    const forced = await server.apply(at, two, "b", "dryRun=All&force=true");
    expect(forced).toMatchObject({ code: 200, object: { data: { a: "2" } } });
    expect(forced.object.metadata.managedFields).toMatchObject([{ manager: "b" }]);
    expect(await server.get(at)).toEqual(before);
  });
});

describe("a value that matches the published type but not the field is refused", () => {
  const inContainer = (container: JsonObject): JsonObject =>
    deployment({
      template: {
        metadata: { labels: { app: "d" } },
        spec: { containers: [{ name: "c", image: "i", ...container }] },
      },
    });
  const unable =
    "failed to convert new object (/d; apps/v1, Kind=Deployment) to proper version: unable to convert unstructured object to apps/v1, Kind=Deployment";

  test.each<[string, JsonObject, string]>([
    [
      "a quantity",
      inContainer({ resources: { limits: { cpu: "much" } } }),
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      "a time",
      { ...deployment({}), metadata: { name: "d", deletionTimestamp: "soon" } },
      'parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"',
    ],
    ["a fraction", deployment({ replicas: 1.5 }), "cannot convert float64 to int32"],
  ])("%s", async (_title, config, message) => {
    expect(await server.apply(`${deployments}/d`, config, "m")).toMatchObject({
      code: 500,
      message: `${unable}: ${message}`,
    });
  });

  test("bytes", async () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", namespace: "default" },
      data: { a: "!" },
    };
    expect((await server.apply("/api/v1/namespaces/default/secrets/s", secret, "m")).message).toBe(
      "failed to convert new object (default/s; /v1, Kind=Secret) to proper version: unable to convert unstructured object to /v1, Kind=Secret: error decoding from json: illegal base64 data at input byte 0",
    );
  });

  test("only after conflicts", async () => {
    await server.apply(`${deployments}/d`, deployment({ replicas: 1 }), "a");
    expect((await server.apply(`${deployments}/d`, deployment({ replicas: 1.5 }), "b")).code).toBe(409);
  });
});

describe("a body", () => {
  const decoding = "error decoding YAML";
  const notMap = (kind: string) =>
    `${decoding}: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;

  test.each([
    ["JSON", '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"1"}}'],
    ["YAML", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: '1'\n"],
    [
      "the first of several documents",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: '1'}\n---\nx: y\n",
    ],
  ])("may be %s", async (_form, body) => {
    const { object } = await server.apply(at, body, "m");
    expect(object).toMatchObject({ data: { a: "1" } });
    expect(await server.owners(at)).toEqual({ m: [".data.a"] });
  });

  test.each([
    ["{{{", `${decoding}: error converting YAML to JSON: yaml: line 1: did not find expected node content`],
    ["[]", notMap("array")],
    ['"text"', notMap("string")],
    ["text", notMap("string")],
    ["5", notMap("number")],
    ["1.5", notMap("number")],
    ["yes", notMap("bool")],
    ["", "invalid object type: /, Kind="],
    ["null", "invalid object type: /, Kind="],
  ])("%j is not a configuration", async (body, message) => {
    expect(await refusal(body)).toEqual([400, message]);
  });

  const twice =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: "1"\n  a: "2"\n  b: "1"\n  b: "2"\n';
  const found = ['line 6: key "a" already set in map', 'line 8: key "b" already set in map'];

  test("with duplicate keys returns a warning for each key", async () => {
    const answer = await server.apply(at, twice, "m");
    expect(answer).toMatchObject({ code: 201, object: { data: { a: "2", b: "2" } }, warnings: found });
    expect((await server.apply(at, twice, "m", "fieldValidation=Warn")).warnings).toEqual(found);
    expect((await server.apply(at, twice, "m", "fieldValidation=Ignore")).warnings).toEqual([]);
  });

  test("with duplicate keys is refused in strict mode after all other checks", async () => {
    const lines = found.map((line) => `\n  ${line}`).join("");
    const message = `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:${lines}`;
    expect(await refusal(twice, "fieldValidation=Strict")).toEqual([400, message]);
    expect((await server.send("GET", at)).code).toBe(404);
    await server.apply(at, configMap({ data: { a: "0" } }), "other");
    expect((await refusal(twice, "fieldValidation=Strict"))[0]).toBe(409);
    // The response to a request that failed for another reason has no warnings, either.
    expect((await server.apply(at, twice, "m")).warnings).toEqual([]);
  });

  test("in JSON with duplicate keys is treated the same", async () => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"1","a":"2"}}';
    expect((await refusal(body, "fieldValidation=Strict"))[1]).toContain('key "a" already set in map');
  });
});

describe("CBOR", () => {
  const contentType = "application/apply-patch+cbor";
  const cbor = (value: JsonValue) => new Uint8Array(encodeCbor(value));
  const sent = (value: JsonValue) => server.send("PATCH", at, cbor(value), { manager: "m", contentType });

  test("is not supported without its feature gate", async () => {
    expect(await sent(configMap({}))).toMatchObject({ code: 415, message: "415: Unsupported Media Type" });
  });

  describe("with its feature gate", () => {
    beforeEach(() => {
      server = new ApplyServer({ featureGates: new Map([["CBORServingAndStorage", true]]) });
    });

    test("is applied like any other configuration", async () => {
      expect((await sent(configMap({ data: { a: "1" } }))).code).toBe(201);
      expect(await server.owners(at)).toEqual({ m: [".data.a"] });
      expect((await sent(configMap({ data: { b: "1" } }))).object).toMatchObject({ data: { b: "1" } });
      expect((await server.apply(at, configMap({ data: { b: "2" } }), "n")).code).toBe(409);
    });

    test("needs fieldManager, too", async () => {
      expect((await server.send("PATCH", at, cbor(configMap({})), { contentType })).code).toBe(422);
    });

    test.each<[JsonValue, string]>([
      [[], "array"],
      ["x", "UTF-8 text string"],
      [5, "positive integer"],
      [-5, "negative integer"],
      [true, "primitives"],
      [1.5, "primitives"],
    ])("%j is not a configuration", async (value, kind) => {
      expect(await sent(value)).toMatchObject({
        code: 400,
        message: `error decoding YAML: cbor: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
      });
    });

    test("null is an empty configuration, and an empty body is an error", async () => {
      expect(await sent(null)).toMatchObject({ code: 400, message: "invalid object type: /, Kind=" });
      const nothing = await server.send("PATCH", at, new Uint8Array(), { manager: "m", contentType });
      expect(nothing).toMatchObject({ code: 400, message: "error decoding YAML: EOF" });
    });
  });
});
