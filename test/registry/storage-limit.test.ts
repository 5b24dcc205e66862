import { describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { quietCluster, type SendRequest, testClient } from "./test-client.ts";

const mebibyte = 1024 * 1024;
const tooLarge = "etcdserver: request is too large";
const things = "/apis/example.com/v1/namespaces/default/things";
const deployments = "/apis/apps/v1/namespaces/default/deployments";

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
};

async function withThings(): Promise<{ readonly cluster: Cluster; readonly send: SendRequest }> {
  const cluster = createCluster({ seed: 1 });
  await cluster.create(definition);
  await cluster.settle();
  return { cluster, send: testClient(cluster) };
}

const thing = (fields: object) => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a" },
  ...fields,
});

/** Many short fields: each costs more in the managedFields than in the object. */
const manyFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field-${10_000 + at}`, "a value"]));

describe("a custom resource", () => {
  test.each([
    [1.49, undefined],
    [1.51, tooLarge],
    [1.99, tooLarge],
  ])("of %d MiB is answered with %j", async (size, message) => {
    const { send } = await withThings();
    const { code, object } = await send("POST", things, thing({ data: "x".repeat(size * mebibyte) }));
    expect([code, object.message]).toEqual(message === undefined ? [201, undefined] : [500, message]);
    expect(object.reason).toBeUndefined();
    expect((await send("GET", `${things}/a`)).code).toBe(message === undefined ? 200 : 404);
  });

  test("of more than 2 MiB does not reach etcd, whose client counts the whole message", async () => {
    const { send } = await withThings();
    const sent = thing({ data: "x".repeat(mebibyte) });
    const { object } = await send("POST", things, sent);
    const { resourceVersion, ...metadata } = object.metadata;
    const data = "x".repeat(2.5 * mebibyte);
    // An update that is too large loses its managedFields, but not those of the error before: it has none to lose.
    const { managedFields: _, ...others } = metadata;
    const stored = JSON.stringify({ ...object, data, metadata: others });
    const answer = await send("PUT", `${things}/a`, { ...object, data });
    const message = transaction(
      "/registry/example.com/things/default/a",
      `${stored}\n`,
      Number(resourceVersion),
    );
    expect([answer.code, answer.object.message]).toEqual([
      500,
      `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${message.length} vs. 2097152)`,
    ]);
    expect((await send("GET", `${things}/a`)).object).toEqual(object);
  });

  test("that is too large only with its managedFields loses them", async () => {
    const { send } = await withThings();
    const created = await send("POST", things, thing({ spec: manyFields(37_000) }));
    expect([created.code, created.object.metadata.managedFields]).toEqual([201, undefined]);
    const patched = await send("PATCH", `${things}/a`, { other: manyFields(1000) });
    expect([patched.code, patched.object.metadata.managedFields]).toEqual([200, undefined]);
    const updated = await send("PUT", `${things}/a`, { ...patched.object, other: { b: 1 } });
    expect([updated.code, updated.object.metadata.managedFields]).toEqual([200, undefined]);
    const { object } = await send("GET", `${things}/a`);
    expect(Object.keys(object.spec)).toHaveLength(37_000);
  });

  test("that is applied keeps its managedFields, so that it is too large", async () => {
    const { cluster } = await withThings();
    await expect(cluster.apply(thing({ spec: manyFields(37_000) }))).rejects.toMatchObject({
      code: 500,
      message: tooLarge,
    });
  });

  test("may have any size in a dry run", async () => {
    const { send } = await withThings();
    const { code } = await send("POST", `${things}?dryRun=All`, thing({ data: "x".repeat(2 * mebibyte) }));
    expect(code).toBe(201);
  });

  test("is measured with the escapes of JSON", async () => {
    const { send } = await withThings();
    const { code } = await send("POST", things, thing({ data: "\u0001".repeat(0.3 * mebibyte) }));
    expect(code).toBe(500);
  });
});

describe("an object of a built-in kind", () => {
  const deployment = (value: string) => ({
    metadata: { name: "a" },
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: {
        metadata: { labels: { app: "a" } },
        spec: { containers: [{ name: "c", image: "i", env: [{ name: "E", value }] }] },
      },
    },
  });

  test.each([
    ["of characters that JSON escapes", "\u0001".repeat(0.4 * mebibyte), 201],
    ["of 1.49 MiB", "x".repeat(1.49 * mebibyte), 201],
    ["of 1.51 MiB", "x".repeat(1.51 * mebibyte), 500],
    ["of 1.51 MiB in UTF-8", "€".repeat((1.51 * mebibyte) / 3), 500],
  ])("is measured in protobuf: a value %s", async (_title, value, code) => {
    const send = testClient(quietCluster());
    expect((await send("POST", deployments, deployment(value))).code).toBe(code);
  });
});

/** The transaction that replaces a value, as etcd's client encodes it. */
function transaction(key: string, value: string, revision: number): Uint8Array {
  const [keyBytes, valueBytes] = [Buffer.from(key), Buffer.from(value)];
  const comparison = Buffer.concat([
    Buffer.from([0x10, 2]),
    bytesField(3, keyBytes),
    varintField(6, revision),
  ]);
  const put = Buffer.concat([bytesField(1, keyBytes), bytesField(2, valueBytes)]);
  const read = bytesField(1, keyBytes);
  return Buffer.concat([
    bytesField(1, comparison),
    bytesField(2, bytesField(2, put)),
    bytesField(3, bytesField(1, read)),
  ]);
}

function bytesField(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes]);
}

function varintField(number: number, value: number): Buffer {
  return Buffer.concat([Buffer.from([number << 3]), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}
