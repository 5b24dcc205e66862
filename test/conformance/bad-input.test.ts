import { beforeAll, describe, expect, test } from "vitest";
import type { RawRequest } from "./quiet-server.ts";
import { configMaps, get, post, protobuf, quietServer, refuses, repeat } from "./refusals.ts";

const server = quietServer();

describe("sizes", () => {
  const limit = 3 * 1024 * 1024;
  const sized = (bytes: number): string => {
    const [head, tail] = ['{"metadata":{"name":"big"},"data":{"a":"', '"}}'];
    return head + repeat("x", bytes - head.length - tail.length) + tail;
  };
  refuses(server, [
    [
      "a body of 3 MiB and one byte",
      post(sized(limit + 1)),
      413,
      "Request entity too large: limit is 3145728",
    ],
    [
      "a delete with more than 3 MiB",
      { method: "DELETE", target: `${configMaps}/a`, body: repeat(" ", limit + 1) },
      413,
      /^Request entity too large/,
    ],
    ["a body cut in the middle", post(sized(1000).slice(0, 500)), 400, /unexpected end of JSON input/],
    [
      "annotations of more than 256 KiB",
      post(JSON.stringify({ metadata: { name: "a", annotations: { a: repeat("x", 262_145) } } })),
      422,
      /metadata\.annotations: Too long: may not be more than 262144 bytes/,
    ],
  ]);
});

describe("invalid objects", () => {
  const named = (metadata: object) => post(JSON.stringify({ metadata }));
  const put = (metadata: object): RawRequest => ({
    method: "PUT",
    target: `${configMaps}/there`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "there", ...metadata } }),
  });
  beforeAll(async () => {
    await server.ask(named({ name: "there" }));
  });
  refuses(server, [
    ["no name", named({}), 422, /metadata\.name: Required value: name or generateName is required/],
    [
      "capitals",
      named({ name: "toString" }),
      422,
      /metadata\.name: Invalid value: "toString": a lowercase RFC 1123 subdomain/,
    ],
    ["__proto__", named({ name: "__proto__" }), 422, /metadata\.name: Invalid value: "__proto__"/],
    ["a slash", named({ name: "a/b" }), 422, /metadata\.name: Invalid value: "a\/b"/],
    ["254 characters", named({ name: repeat("a", 254) }), 422, /must be no more than 253 characters/],
    ["a NUL", named({ name: "a\0b" }), 422, /metadata\.name: Invalid value: "a\\x00b"/],
    ["half a surrogate pair", post('{"metadata":{"name":"\\ud800"}}'), 422, /metadata\.name: Invalid value/],
    [
      "another namespace",
      named({ name: "a", namespace: "constructor" }),
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
    [
      "a label key of __proto__",
      post('{"metadata":{"name":"a","labels":{"__proto__":"x"}}}'),
      422,
      /metadata\.labels: Invalid value: "__proto__"/,
    ],
    [
      "an annotation of __proto__",
      post('{"metadata":{"name":"a","annotations":{"__proto__":"x"}}}'),
      422,
      /metadata\.annotations: Invalid value: "__proto__"/,
    ],
    [
      "a label value that is too long",
      named({ name: "a", labels: { constructor: repeat("x", 64) } }),
      422,
      /metadata\.labels: Invalid value: .*must be no more than 63 characters/,
    ],
    [
      "a finalizer without a group",
      { ...post('{"metadata":{"name":"a","finalizers":["__proto__"]}}') },
      422,
      /metadata\.finalizers: Invalid value: "__proto__"/,
    ],
    [
      "a resourceVersion that is not a number",
      put({ resourceVersion: "__proto__" }),
      500,
      'strconv.ParseUint: parsing "__proto__": invalid syntax',
    ],
    ["an outdated resourceVersion", put({ resourceVersion: "1" }), 409, /the object has been modified/],
    [
      "another uid",
      put({ uid: "constructor" }),
      409,
      /Precondition failed: UID in precondition: constructor/,
    ],
    [
      "a name that differs from the path",
      put({ name: "constructor" }),
      400,
      "the name of the object (constructor) does not match the name on the URL (there)",
    ],
    [
      "a resourceVersion in a create",
      named({ name: "a", resourceVersion: "1" }),
      500,
      "resourceVersion should not be set on objects to be created",
    ],
    [
      "a resourceVersion in a create that is not stored",
      named({ name: "A", resourceVersion: "1" }),
      422,
      /^ConfigMap "A" is invalid: metadata\.name: /,
    ],
    [
      "a create in a missing namespace",
      { ...named({ name: "a" }), target: "/api/v1/namespaces/constructor/configmaps" },
      404,
      'namespaces "constructor" not found',
    ],
  ]);
});

describe("JavaScript property names are data", () => {
  const words = [
    "constructor",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "__proto__",
    "isPrototypeOf",
    "__defineGetter__",
  ];
  const at = `${configMaps}/words`;

  // A JSON text, because an object literal treats __proto__ specially.
  const textOf = (keys: readonly string[], value: string) =>
    `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`;
  const data = textOf(words, "kept");

  beforeAll(async () => {
    const labels = textOf(["constructor", "toString"], "label");
    const body = `{"metadata":{"name":"words","labels":${labels}},"data":${data}}`;
    const answer = await server.ask(post(body));
    expect(answer.status).toBe(201);
    await server.ask(post('{"metadata":{"name":"constructor"},"data":{}}'));
  });

  test("in JSON", async () => {
    const { text } = await server.ask(get(at));
    expect(Object.keys(JSON.parse(text).data).sort()).toEqual([...words].sort());
    expect(text).toContain('"__proto__":"kept"');
  });

  test.each(["application/yaml", protobuf])("in %s, in both directions", async (type) => {
    const read = await server.ask({ ...get(at), headers: { accept: type } });
    expect(read.text).toContain("__proto__");
    const written = await server.ask({
      method: "PUT",
      target: at,
      headers: { "content-type": type },
      body: read.bytes,
    });
    expect(written.status).toBe(200);
    expect(Object.keys(JSON.parse(written.text).data).sort()).toEqual([...words].sort());
  });

  test("in a list, a table and a watch", async () => {
    expect((await server.ask(get(configMaps))).text).toContain('"__proto__":"kept"');
    const metadata = { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" };
    expect((await server.ask({ ...get(at), headers: metadata })).text).toContain('"toString":"label"');
    expect((await server.ask(get(`${configMaps}?watch=1`))).text).toContain('"__proto__":"kept"');
  });

  test.each([
    ["constructor", ["words"]],
    ["toString%3Dlabel", ["words"]],
    ["valueOf", []],
    ["!hasOwnProperty", ["constructor", "words"]],
    ["!constructor", ["constructor"]],
    ["toString in (label)", ["words"]],
    ["valueOf notin (x)", ["constructor", "words"]],
  ])("labels are selected by %s", async (selector, names) => {
    const answer = await server.ask(
      get(`${configMaps}?labelSelector=${encodeURIComponent(decodeURIComponent(selector))}`),
    );
    const { items } = JSON.parse(answer.text);
    const found = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(found.filter((name: string) => name === "words" || name === "constructor")).toEqual(names);
  });

  test("as a name", async () => {
    const answer = await server.ask(get(`${configMaps}/constructor`));
    expect(JSON.parse(answer.text)).toMatchObject({ metadata: { name: "constructor" } });
    expect(JSON.parse(answer.text).data).toBeUndefined();
  });

  test("as unknown fields, which are dropped with a warning", async () => {
    const body =
      '{"metadata":{"name":"dropped"},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const answer = await server.ask(post(body));
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text)).not.toHaveProperty("constructor.prototype");
    expect(answer.text).not.toContain("polluted");
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("as parameters and headers, which have no effect", async () => {
    const query = "?__proto__=1&constructor=x&__proto__[polluted]=1&toString=&limit=1";
    const answer = await server.ask({
      ...get(configMaps + query),
      headers: { "x-__proto__": "1", constructor: "2" },
    });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).items).toHaveLength(1);
  });
});
