import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/index.ts";
import {
  ApplyServer,
  configMaps,
  configOf,
  patchTypes,
  type Sending,
  type WriteMethod,
} from "./apply-server.ts";
import { places, valueAt, withValueAt } from "./places.ts";

let server: ApplyServer;
beforeEach(() => {
  server = new ApplyServer();
});
afterEach(() => server.cluster.close());

describe.each(places)("$title", ({ at, base, field, pointer, config, values: [one, two], unowned }) => {
  const read = async (): Promise<JsonValue | undefined> => valueAt(await server.get(at), pointer);
  const ownersOfField = async (): Promise<readonly string[]> =>
    Object.entries(await server.owners(at))
      .flatMap(([owner, fields]) => (fields.includes(field) ? [owner] : []))
      .sort();
  const apply = (manager: string, value: JsonValue, query = "") =>
    server.apply(at, config(value), manager, query);
  const giveUp = (manager: string) => {
    const { apiVersion = "", kind = "", metadata = {} } = base;
    return server.apply(at, { apiVersion, kind, metadata }, manager);
  };

  beforeEach(async () => {
    expect((await server.apply(at, base, "base")).code).toBe(201);
    expect((await apply("a", one)).code).toBe(200);
  });

  test("cannot be changed by b while a owns it", async () => {
    const before = await server.get(at);
    const answer = await apply("b", two);
    expect(answer).toMatchObject({
      code: 409,
      message: `Apply failed with 1 conflict: conflict with "a": ${field}`,
      object: {
        reason: "Conflict",
        details: { causes: [{ reason: "FieldManagerConflict", message: 'conflict with "a"', field }] },
      },
    });
    expect(await server.get(at)).toEqual(before);
  });

  test("belongs only to b after b takes it by force", async () => {
    expect((await apply("b", two, "force=true")).code).toBe(200);
    expect(await read()).toEqual(two);
    expect(await ownersOfField()).toEqual(["b"]);
  });

  test("is shared if both managers apply the same value", async () => {
    const { resourceVersion } = (await server.get(at)).metadata;
    expect((await apply("b", one)).code).toBe(200);
    expect(await ownersOfField()).toEqual(["a", "b"]);
    // Ownership is part of the object.
    expect((await server.get(at)).metadata.resourceVersion).not.toBe(resourceVersion);
  });

  test("cannot be changed by one owner while it is shared", async () => {
    await apply("b", one);
    expect((await apply("b", two)).message).toBe(`Apply failed with 1 conflict: conflict with "a": ${field}`);
    expect((await apply("c", two)).message).toBe(
      `Apply failed with 2 conflicts: conflicts with "a":\n- ${field}\nconflicts with "b":\n- ${field}`,
    );
    expect(await ownersOfField()).toEqual(["a", "b"]);
  });

  test("returns to its unowned value when its only owner omits it", async () => {
    expect((await giveUp("a")).code).toBe(200);
    expect(await read()).toEqual(unowned);
    expect(await ownersOfField()).toEqual([]);
    expect(Object.keys(await server.owners(at))).toEqual(["base"]);
  });

  test("stays when one of two owners omits it", async () => {
    await apply("b", one);
    await giveUp("a");
    expect(await read()).toEqual(one);
    expect(await ownersOfField()).toEqual(["b"]);
  });

  test("is not affected by a manager that omits it and never owned it", async () => {
    const before = await server.get(at);
    expect((await giveUp("stranger")).code).toBe(200);
    expect(await server.get(at)).toEqual(before);
  });

  const writes: readonly [
    how: string,
    method: WriteMethod,
    body: () => Promise<JsonObject | JsonObject[]>,
    Sending,
  ][] = [
    ["PUT", "PUT", async () => withValueAt(await server.get(at), pointer, two), {}],
    ["a merge patch", "PATCH", changedParts, { contentType: patchTypes.merge }],
    ["a strategic merge patch", "PATCH", async () => config(two), { contentType: patchTypes.strategic }],
    [
      "a JSON patch",
      "PATCH",
      async () => [{ op: "replace", path: pointer, value: two }],
      { contentType: patchTypes.json },
    ],
  ];

  /** The parts of the object that a merge patch may contain: it replaces lists. */
  async function changedParts(): Promise<JsonObject> {
    const { spec, data, metadata } = withValueAt(await server.get(at), pointer, two);
    const { annotations } = metadata as JsonObject;
    return {
      ...(spec !== undefined && { spec }),
      ...(data !== undefined && { data }),
      ...(annotations !== undefined && { metadata: { annotations } }),
    };
  }

  test.each(writes)("belongs to the client that changes it with %s", async (_how, method, body, sending) => {
    const { apiVersion } = base;
    expect((await server.send(method, at, await body(), { ...sending, manager: "w" })).code).toBe(200);
    expect(await read()).toEqual(two);
    expect(await ownersOfField()).toEqual([`w (Update ${apiVersion})`]);
    expect((await apply("a", one)).message).toBe(
      `Apply failed with 1 conflict: conflict with "w" using ${apiVersion}: ${field}`,
    );
  });

  test("stays with its owner when it is written unchanged", async () => {
    const before = await server.get(at);
    const { code } = await server.send("PUT", at, before, { manager: "w" });
    expect(code).toBe(200);
    expect(await server.get(at)).toEqual(before);
  });

  test("has no owner after a write removes it", async () => {
    const path = [{ op: "remove", path: pointer }];
    await server.send("PATCH", at, path, { contentType: patchTypes.json, manager: "w" });
    expect(await read()).toEqual(unowned);
    expect((await ownersOfField()).filter((owner) => !owner.startsWith("w "))).toEqual([]);
  });
});

describe("an item of a set", () => {
  const at = `${configMaps}/c`;
  const config = (...finalizers: readonly string[]) =>
    configOf("v1", "ConfigMap", at, { metadata: { finalizers } });
  const item = (name: string) => `.metadata.finalizers[="example.com/${name}"]`;
  const apply = (manager: string, ...names: readonly string[]) =>
    server.apply(at, config(...names.map((name) => `example.com/${name}`)), manager);
  const read = async () => (await server.get(at)).metadata.finalizers?.map((name) => name.slice(-1));

  beforeEach(async () => {
    expect((await apply("a", "x", "y")).code).toBe(201);
  });

  test("is added to the items of other managers without a conflict", async () => {
    expect((await apply("b", "z")).code).toBe(200);
    expect(await read()).toEqual(["x", "y", "z"]);
    expect(await server.owners(at)).toEqual({ a: [item("x"), item("y")], b: [item("z")] });
  });

  test("is ordered as in the last configuration that contains it; other items keep their places", async () => {
    await apply("b", "x", "z");
    expect(await read()).toEqual(["x", "y", "z"]);
    await apply("c", "y", "x");
    expect(await read()).toEqual(["y", "z", "x"]);
  });

  test("is shared by all managers that apply it, and stays until the last one omits it", async () => {
    await apply("b", "x");
    expect(await server.owners(at)).toEqual({ a: [item("x"), item("y")], b: [item("x")] });
    await apply("a", "y");
    expect(await read()).toEqual(["x", "y"]);
    await apply("b");
    expect(await read()).toEqual(["y"]);
    expect(await server.owners(at)).toEqual({ a: [item("y")] });
  });

  test("has no owner after a write removes it, and belongs to the writer that adds it", async () => {
    const written = { metadata: { finalizers: ["example.com/y", "example.com/w"] } };
    await server.send("PATCH", at, written, { contentType: patchTypes.merge, manager: "w" });
    expect(await server.owners(at)).toEqual({ a: [item("y")], "w (Update v1)": [item("w")] });
  });

  test("is refused if a configuration contains it twice", async () => {
    expect(await apply("a", "x", "x")).toMatchObject({
      code: 500,
      message:
        `failed to create typed patch object (/c; v1, Kind=ConfigMap): .metadata.finalizers: duplicate entries for key [="example.com/x"]`.replace(
          " v1,",
          " /v1,",
        ),
    });
  });
});

describe("an item of a keyed list", () => {
  const at = "/api/v1/namespaces/default/services/s";
  const service = (...ports: readonly JsonObject[]) => configOf("v1", "Service", at, { spec: { ports } });
  const read = async () => {
    const ports = valueAt(await server.get(at), "/spec/ports");
    return (ports as readonly JsonObject[]).map(({ name }) => name);
  };
  const [http, https, dns]: readonly JsonObject[] = [
    { name: "http", port: 80 },
    { name: "https", port: 443 },
    { name: "dns", port: 53, protocol: "UDP" },
  ];

  beforeEach(async () => {
    expect((await server.apply(at, service(http ?? {}, https ?? {}), "a")).code).toBe(201);
  });

  test("is identified by its keys, and defaults replace omitted keys", async () => {
    const { a } = await server.owners(at);
    expect(a).toEqual([
      '.spec.ports[port=80,protocol="TCP"]',
      '.spec.ports[port=443,protocol="TCP"]',
      '.spec.ports[port=80,protocol="TCP"].name',
      '.spec.ports[port=80,protocol="TCP"].port',
      '.spec.ports[port=443,protocol="TCP"].name',
      '.spec.ports[port=443,protocol="TCP"].port',
    ]);
  });

  test("is added to the items of other managers", async () => {
    await server.apply(at, service(dns ?? {}), "b");
    expect(await read()).toEqual(["http", "https", "dns"]);
  });

  test("is removed completely with its only owner, including the fields that the server filled in", async () => {
    await server.apply(at, service(https ?? {}), "a");
    expect(await read()).toEqual(["https"]);
  });

  test("stays as long as a manager owns a field in it", async () => {
    await server.apply(at, service({ ...http, appProtocol: "example.com/x" }, https ?? {}), "a");
    await server.apply(at, service(http ?? {}), "b");
    expect((await server.apply(at, service(https ?? {}), "a")).code).toBe(200);
    expect(valueAt(await server.get(at), "/spec/ports")).toEqual([
      { name: "http", protocol: "TCP", port: 80, targetPort: 80 },
      { name: "https", protocol: "TCP", port: 443, targetPort: 443 },
    ]);
  });

  test("is refused if a configuration contains it twice", async () => {
    const { message } = await server.apply(at, service(http ?? {}, { port: 80, name: "again" }), "a");
    expect(message).toBe(
      'failed to create typed patch object (/s; /v1, Kind=Service): .spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
    );
  });
});
