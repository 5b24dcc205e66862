import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listAt, structAt, textAt } from "../../../src/apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../../../src/apimachinery/json.ts";
import { type Cluster, createCluster, type TargetHandle } from "../../../src/index.ts";
import {
  definitionKind,
  gadget,
  gadgetDefinition,
  gadgetsName,
  gadgetsPath,
  gadgetVersion,
  send,
} from "./gadgets.ts";

const text = { type: "string" };
const stored = gadgetVersion(
  "v1",
  { type: "object", properties: { color: { ...text, maxLength: 5 }, size: { type: "integer" } } },
  {
    subresources: {
      status: {},
      scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
    },
  },
);
const shown = gadgetVersion(
  "v2",
  {
    type: "object",
    properties: {
      paint: { type: "object", properties: { name: { ...text, maxLength: 4 } } },
      size: { type: "integer" },
    },
  },
  {
    additionalPrinterColumns: [{ name: "Paint", type: "string", jsonPath: ".spec.paint.name" }],
    subresources: {
      status: {},
      scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
    },
  },
);
const webhook = (reviewVersions: readonly string[], clientConfig: JsonObject = service): JsonObject => ({
  conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: reviewVersions, clientConfig } },
});
const service = { service: { namespace: "hooks", name: "converter", path: "/convert", port: 8443 } };

/** Moves the color between the two versions. */
function converted(object: JsonObject, apiVersion: string): JsonObject {
  const { color, paint, ...spec } = structAt(object, "spec");
  const name = color ?? structAt({ paint: paint ?? {} }, "paint")["name"] ?? null;
  const next: JsonObject = apiVersion === "example.com/v1" ? { color: name } : { paint: { name } };
  return { ...object, apiVersion, spec: name === null ? spec : { ...spec, ...next } };
}

/** The webhook, and what it was sent. */
class Converter {
  /** `v2: a b` for a review that wants a and b in v2. */
  readonly reviews: string[] = [];
  sent: JsonObject[] = [];
  /** Replaces the response. */
  change: (response: JsonObject, review: JsonObject) => JsonValue | Promise<JsonValue> = (response) =>
    response;
  /** Replaces the whole answer. */
  answer: (review: JsonObject) => JsonObject | Promise<JsonObject> = async (review) => {
    const request = structAt(review, "request");
    const objects = listAt(request, "objects").map((one) =>
      converted(one, textAt(request, "desiredAPIVersion")),
    );
    const response = { uid: request["uid"] ?? "", convertedObjects: objects, result: { status: "Success" } };
    return { ...review, response: await this.change(response, review) };
  };

  readonly review = (review: JsonObject): JsonObject | Promise<JsonObject> => {
    const { desiredAPIVersion, objects } = structAt(review, "request") as {
      readonly [key: string]: JsonValue;
    };
    const names = (objects as JsonObject[]).map((one) => textAt(one, "metadata", "name"));
    this.reviews.push(`${String(desiredAPIVersion).split("/")[1]}: ${names.join(" ")}`);
    this.sent.push(review);
    return this.answer(review);
  };

  take(): readonly string[] {
    return this.reviews.splice(0);
  }
}

let converter: Converter;
let cluster: Cluster;
let handle: TargetHandle;

beforeEach(async () => {
  converter = new Converter();
  cluster = createCluster({ seed: 1 });
  handle = cluster.webhook(gadgetsName, converter.review);
  await cluster.create(gadgetDefinition([stored, shown], webhook(["v1", "v1beta1"])));
  await cluster.settle();
});

afterEach(() => cluster.close());

async function store(...names: readonly string[]): Promise<void> {
  for (const name of names) await cluster.create(gadget(name, { color: "red" }));
}

const colorOf = (object: JsonObject): JsonValue =>
  structAt(object, "spec")["color"] ?? structAt(object, "spec", "paint")["name"] ?? null;
const merge = "application/merge-patch+json";
const apply = "application/apply-patch+yaml";

describe("a conversion webhook", () => {
  test("is sent a review of the first version that the server knows", async () => {
    await store("a");
    expect((await send(cluster, "GET", gadgetsPath("v2", "a"))).body).toMatchObject({
      apiVersion: "example.com/v2",
      spec: { paint: { name: "red" } },
    });
    const [review] = converter.sent;
    expect(Object.keys(review ?? {})).toEqual(["kind", "apiVersion", "request"]);
    expect(review).toMatchObject({
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      request: {
        desiredAPIVersion: "example.com/v2",
        objects: [{ apiVersion: "example.com/v1", spec: { color: "red" } }],
      },
    });
    expect(textAt(structAt(review ?? {}, "request"), "uid")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("gets a v1beta1 review if the definition prefers that", async () => {
    await cluster.patch(...definitionKind, gadgetsName, { spec: webhook(["v1beta1", "v1"]) });
    await store("a");
    await send(cluster, "GET", gadgetsPath("v2", "a"));
    expect(converter.sent).toMatchObject([{ apiVersion: "apiextensions.k8s.io/v1beta1" }]);
  });

  test("is not called for the stored version", async () => {
    await store("a", "b");
    await send(cluster, "GET", gadgetsPath("v1"));
    await send(cluster, "PATCH", gadgetsPath("v1", "a"), { spec: { size: 2 } }, merge);
    expect(converter.take()).toEqual([]);
  });

  // Upstream: apiserver, pkg/endpoints/handlers/patch.go, decodes the patched object in the version of the endpoint.
  test.each([merge, "application/json-patch+json"])("is not called for what a %s makes", async (type) => {
    await store("a");
    const { body } = await send(cluster, "GET", gadgetsPath("v2", "a"));
    converter.take();
    await send(cluster, "PUT", gadgetsPath("v2", "a"), { ...body, spec: { size: 1 } });
    const asked = converter.take();
    const path = "/spec/size";
    const patch = type === merge ? { spec: { size: 2 } } : [{ op: "replace", path, value: 2 }];
    expect((await send(cluster, "PATCH", gadgetsPath("v2", "a"), patch, type)).code).toBe(200);
    expect(converter.take()).toEqual(asked);
  });

  test("converts a list in one review, and is called for each get", async () => {
    await store("a", "b", "c");
    const { body } = await send(cluster, "GET", `${gadgetsPath("v2")}?limit=2`);
    expect(listAt(body, "items").map(colorOf)).toEqual(["red", "red"]);
    await send(cluster, "GET", gadgetsPath("v2", "a"));
    await send(cluster, "GET", gadgetsPath("v2", "a"));
    expect(converter.take()).toEqual(["v2: a b", "v2: a", "v2: a"]);
  });

  test("converts only the objects that an earlier storage version has left", async () => {
    await store("a");
    const versions = [
      { ...stored, storage: false },
      { ...shown, storage: true },
    ];
    await cluster.patch(...definitionKind, gadgetsName, { spec: { versions } });
    await cluster.settle();
    await cluster.create(gadget("b", { paint: { name: "blue" } }, "v2"));
    converter.take();
    const { body } = await send(cluster, "GET", gadgetsPath("v2"));
    expect(listAt(body, "items")).toMatchObject([
      { apiVersion: "example.com/v2", spec: { paint: { name: "red" } } },
      { apiVersion: "example.com/v2", spec: { paint: { name: "blue" } } },
    ]);
    expect(converter.take()).toEqual(["v2: a"]);
    // The next write migrates the object.
    await send(cluster, "PATCH", gadgetsPath("v2", "a"), { spec: { size: 1 } }, merge);
    converter.take();
    await send(cluster, "GET", gadgetsPath("v2"));
    expect(converter.take()).toEqual([]);
  });

  test.each<[string, method: string, path: string, JsonObject, contentType: string, code: number]>([
    [
      "create",
      "POST",
      gadgetsPath("v2"),
      gadget("n", { paint: { name: "blue" } }, "v2"),
      "application/json",
      201,
    ],
    ["merge patch", "PATCH", gadgetsPath("v2", "a"), { spec: { paint: { name: "blue" } } }, merge, 200],
    [
      "apply",
      "PATCH",
      `${gadgetsPath("v2", "a")}?fieldManager=m&force=true`,
      gadget("a", { paint: { name: "blue" } }, "v2"),
      apply,
      200,
    ],
    [
      "apply that creates",
      "PATCH",
      `${gadgetsPath("v2", "n")}?fieldManager=m`,
      gadget("n", { paint: { name: "blue" } }, "v2"),
      apply,
      201,
    ],
  ])("%s: the answer is in the version of the request, what is stored in its own", async (...write) => {
    const [, method, path, body, contentType, code] = write;
    await store("a");
    const answer = await send(cluster, method, path, body, contentType);
    expect(answer).toMatchObject({
      code,
      body: { apiVersion: "example.com/v2", spec: { paint: { name: "blue" } } },
    });
    const name = textAt(answer.body, "metadata", "name");
    expect((await send(cluster, "GET", gadgetsPath("v1", name))).body).toMatchObject({
      apiVersion: "example.com/v1",
      spec: { color: "blue" },
    });
  });

  test("update: the sent version is validated by its own schema", async () => {
    await store("a");
    const { body } = await send(cluster, "GET", gadgetsPath("v2", "a"));
    const update = (name: string) =>
      send(cluster, "PUT", gadgetsPath("v2", "a"), { ...body, spec: { paint: { name } } });
    expect(await update("green")).toMatchObject({
      code: 422,
      body: { details: { causes: [{ field: "spec.paint.name", reason: "FieldValueTooLong" }] } },
    });
    expect(await update("pink")).toMatchObject({ code: 200, body: { metadata: { generation: 2 } } });
    expect(colorOf((await send(cluster, "GET", gadgetsPath("v1", "a"))).body)).toBe("pink");
  });

  test("scale and delete read the object in the version of the request", async () => {
    await store("a");
    const scaled = await send(
      cluster,
      "PATCH",
      `${gadgetsPath("v2", "a")}/scale`,
      { spec: { replicas: 3 } },
      merge,
    );
    expect(scaled).toMatchObject({ code: 200, body: { kind: "Scale", spec: { replicas: 3 } } });
    expect((await send(cluster, "GET", `${gadgetsPath("v2", "a")}/scale`)).body).toMatchObject({
      spec: { replicas: 3 },
    });
    expect((await send(cluster, "DELETE", gadgetsPath("v2", "a"))).code).toBe(200);
    expect(new Set(converter.take())).toEqual(new Set(["v2: a", "v1: a"]));
  });

  test("Tables have the columns of the version and the converted objects", async () => {
    await store("a");
    const accept = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    const response = await cluster.fetch(`https://cluster.test${gadgetsPath("v2")}`, { headers: accept });
    const table = JSON.parse(await response.text());
    expect(table.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(["Name", "Paint"]);
    expect(table.rows[0].cells).toEqual(["a", "red"]);
    const watch = await cluster.fetch(`https://cluster.test${gadgetsPath("v2")}?watch=1`, {
      headers: accept,
    });
    const reader = watch.body?.getReader();
    const event = JSON.parse(new TextDecoder().decode((await reader?.read())?.value));
    await reader?.cancel();
    expect(event.object.rows[0].cells).toEqual(["a", "red"]);
  });

  test("Tables may have the converted objects whole", async () => {
    await store("a");
    const { body } = await send(cluster, "GET", gadgetsPath("v2", "a"));
    const accept = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    const path = `${gadgetsPath("v2")}?includeObject=Object`;
    const response = await cluster.fetch(`https://cluster.test${path}`, { headers: accept });
    const { rows } = JSON.parse(await response.text());
    expect(rows.map(({ object }: { object: JsonObject }) => object)).toEqual([body]);
  });

  test("converts what a watch sends", async () => {
    await store("a");
    const watched: string[] = [];
    const watch = cluster.watch("example.com/v2", "Gadget", { namespace: "default" });
    for await (const { type, object } of watch) {
      watched.push(`${type} ${object.metadata.name} ${object.apiVersion} ${colorOf(object as JsonObject)}`);
      if (watched.length === 2) break;
      await store("b");
    }
    expect(watched).toEqual(["ADDED a example.com/v2 red", "ADDED b example.com/v2 red"]);
  });

  test("may change labels and annotations, and no other metadata", async () => {
    await store("a");
    converter.change = (response) => ({
      ...response,
      convertedObjects: listAt(response, "convertedObjects").map((one) => ({
        ...one,
        metadata: {
          ...structAt(one, "metadata"),
          labels: { a: "b" },
          finalizers: ["example.com/x"],
          generation: 9,
        },
      })),
    });
    const { body } = await send(cluster, "GET", gadgetsPath("v2", "a"));
    expect(body["metadata"]).toMatchObject({ labels: { a: "b" }, generation: 1 });
    expect(body["metadata"]).not.toHaveProperty("finalizers");
  });

  test("drops fields that the schema of the other version does not have", async () => {
    await store("a");
    converter.change = (response) => ({
      ...response,
      convertedObjects: listAt(response, "convertedObjects").map((one) => ({
        ...one,
        spec: { paint: {}, unknown: 1 },
      })),
    });
    expect((await send(cluster, "GET", gadgetsPath("v2", "a"))).body["spec"]).toEqual({ paint: {} });
  });
});

const only = (response: JsonObject): JsonObject => listAt(response, "convertedObjects")[0] ?? {};
const withOnly =
  (change: (object: JsonObject) => JsonValue) =>
  (response: JsonObject): JsonObject => ({
    ...response,
    convertedObjects: [change(only(response))],
  });
const withMetadata = (metadata: JsonObject) =>
  withOnly((one) => ({ ...one, metadata: { ...structAt(one, "metadata"), ...metadata } }));

describe("the answer of a conversion webhook", () => {
  test.each<[string, change: (response: JsonObject) => JsonValue, problem: string | RegExp]>([
    ["that is null", () => null, "failed: no response provided"],
    [
      "of another request",
      (one) => ({ ...one, uid: "x" }),
      /^failed: expected response\.uid="[0-9a-f-]{36}", got "x"$/,
    ],
    [
      "without a result",
      ({ result: _, ...one }) => one,
      "failed: response.result.status was '', not 'Success'",
    ],
    [
      "that is a failure",
      (one) => ({ ...one, result: { status: "Failure", message: "no such color" } }),
      "failed: no such color",
    ],
    ["with too few objects", (one) => ({ ...one, convertedObjects: [] }), "returned 0 objects, expected 1"],
    [
      "in another version",
      withOnly((one) => ({ ...one, apiVersion: "example.com/v1" })),
      "returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)",
    ],
    [
      "of another kind",
      withOnly((one) => ({ ...one, kind: "Widget" })),
      "returned invalid object at index 0: invalid kind (expected Gadget, received Widget)",
    ],
    ["that is no object", withOnly(() => 7), "returned invalid object: Object 'Kind' is missing in '7'"],
    [
      "with another name",
      withMetadata({ name: "b" }),
      "returned invalid object: must have the same name: a != b",
    ],
    [
      "with another namespace",
      withMetadata({ namespace: "other" }),
      "returned invalid object: must have the same namespace: default != other",
    ],
    [
      "with another uid",
      withMetadata({ uid: "u" }),
      /^returned invalid object: must have the same UID: .+ != u$/,
    ],
    [
      "with labels that are a list",
      withMetadata({ labels: [] }),
      "returned invalid metadata: invalid metadata.labels of type []interface {} in converted object",
    ],
    [
      "with a label that is a number",
      withMetadata({ labels: { a: 1 } }),
      "returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object",
    ],
    [
      "with an invalid annotation",
      withMetadata({ annotations: { "a/b/c": "" } }),
      /^returned invalid metadata: metadata\.annotation: Invalid value: "a\/b\/c": /,
    ],
    [
      "whose objects are text",
      (one) => ({ ...one, convertedObjects: "x" }),
      /^failed: json: cannot unmarshal string into Go struct field /,
    ],
  ])("%s", async (_title, change, problem) => {
    await store("a");
    converter.change = change;
    const { code, body } = await send(cluster, "GET", gadgetsPath("v2", "a"));
    expect([code, body["reason"]]).toEqual([500, undefined]);
    const prefix = "conversion webhook for example.com/v1, Kind=Gadget ";
    expect(String(body["message"]).slice(0, prefix.length)).toBe(prefix);
    expect(String(body["message"]).slice(prefix.length)).toEqual(
      typeof problem === "string" ? problem : expect.stringMatching(problem),
    );
    converter.change = (response) => response;
    expect((await send(cluster, "GET", gadgetsPath("v2", "a"))).code).toBe(200);
  });

  test.each<[title: string, answer: unknown]>([
    ["text", "garbage"],
    ["nothing", undefined],
    ["null", null],
    ["a list", [[]]],
    ["a number", 7],
    ["a review without a response", { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" }],
    ["names of prototypes", JSON.parse('{"__proto__":{"response":{}},"constructor":1}')],
  ])("that is %s is an error, and other kinds are unharmed", async (_title, answer) => {
    await store("a");
    // A function in JavaScript may answer anything.
    converter.answer = () => answer as JsonObject;
    const { code, body } = await send(cluster, "GET", gadgetsPath("v2", "a"));
    expect([code, body["message"]]).toEqual([
      500,
      expect.stringMatching(/^conversion webhook for example\.com\/v1, Kind=Gadget failed: /),
    ]);
    expect((await send(cluster, "GET", gadgetsPath("v1", "a"))).code).toBe(200);
    expect((await send(cluster, "GET", "/api/v1/namespaces/default/configmaps")).code).toBe(200);
  });

  test("of another version of the review", async () => {
    await store("a");
    converter.answer = (review) => ({ ...review, apiVersion: "", response: {} });
    const { body } = await send(cluster, "GET", gadgetsPath("v2", "a"));
    expect(body["message"]).toBe(
      "conversion webhook for example.com/v1, Kind=Gadget failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=ConversionReview",
    );
  });

  test("for a list names the list, and the object that is wrong", async () => {
    await store("a", "b");
    converter.change = (response) => ({
      ...response,
      convertedObjects: listAt(response, "convertedObjects").map((one, i) =>
        i === 0 ? one : { ...one, kind: "X" },
      ),
    });
    expect(await send(cluster, "GET", gadgetsPath("v2"))).toMatchObject({
      code: 500,
      body: {
        message:
          "conversion webhook for example.com/v2, Kind=GadgetList returned invalid converted object at index 1: invalid kind (expected Gadget, received X)",
      },
    });
  });

  test("that is late counts as none, by the cluster's clock", async () => {
    await store("a");
    converter.answer = () => new Promise(() => {});
    const reading = send(cluster, "GET", gadgetsPath("v2", "a"));
    while (converter.reviews.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await cluster.clock.advance("30s");
    expect(await reading).toMatchObject({
      code: 500,
      body: {
        message: "conversion webhook for example.com/v1, Kind=Gadget failed: context deadline exceeded",
      },
    });
  });

  test.each<[method: string, path: string, body: JsonObject, contentType: string]>([
    ["POST", gadgetsPath("v2"), gadget("n", { paint: { name: "blue" } }, "v2"), "application/json"],
    ["PATCH", gadgetsPath("v2", "a"), { spec: { size: 5 } }, merge],
    ["PATCH", `${gadgetsPath("v2", "a")}?fieldManager=m`, gadget("a", { size: 5 }, "v2"), apply],
    ["DELETE", gadgetsPath("v2", "a"), {}, "application/json"],
  ])("that is an error changes nothing: %s %s", async (method, path, body, contentType) => {
    await store("a");
    const before = await send(cluster, "GET", gadgetsPath("v1"));
    converter.answer = () => {
      throw new Error("broken");
    };
    expect(await send(cluster, method, path, body, contentType)).toMatchObject({ code: 500 });
    expect((await send(cluster, "GET", gadgetsPath("v1"))).body["items"]).toEqual(before.body["items"]);
  });
});

describe("the address of a conversion webhook", () => {
  const failure = async (clientConfig: JsonObject): Promise<JsonValue | undefined> => {
    handle.remove();
    await cluster.patch(...definitionKind, gadgetsName, {
      spec: { conversion: { webhook: { clientConfig: { service: null, url: null, ...clientConfig } } } },
    });
    await cluster.settle();
    await store("a");
    return (await send(cluster, "GET", gadgetsPath("v2", "a"))).body["message"];
  };

  test("of a Service that does not exist is not found", async () => {
    const config = { service: { namespace: "other", name: "converter", port: 443 } };
    expect(await failure(config)).toBe(
      'conversion webhook for example.com/v1, Kind=Gadget failed: Post "https://converter.other.svc:443/convert?timeout=30s": service "converter" not found',
    );
  });

  test("of another machine needs a name", async () => {
    expect(await failure({ url: "https://hooks.example.com/convert" })).toBe(
      'conversion webhook for example.com/v1, Kind=Gadget failed: Post "https://hooks.example.com/convert?timeout=30s": dial tcp: lookup hooks.example.com: no such host; name its address with cluster.serviceAt("https://hooks.example.com", "host:port") or --service-at https://hooks.example.com=host:port',
    );
  });

  test("of this machine is called, and its failure told", async () => {
    expect(await failure({ url: "https://127.0.0.1:1/convert" })).toBe(
      'conversion webhook for example.com/v1, Kind=Gadget failed: Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });
});
