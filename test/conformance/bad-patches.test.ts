import { beforeAll, describe, expect, test } from "vitest";
import type { RawRequest } from "./quiet-server.ts";
import { configMaps, get, post, quietServer, refuses, repeat } from "./refusals.ts";

const server = quietServer();
const target = `${configMaps}/there`;
const deployment = "/apis/apps/v1/namespaces/default/deployments/there";
const patch = (type: string, body: string, at = target): RawRequest => ({
  method: "PATCH",
  target: at,
  headers: { "content-type": `application/${type}` },
  body,
});
const json = (body: string) => patch("json-patch+json", body);
const merge = (body: string) => patch("merge-patch+json", body);
const strategic = (body: string, at = deployment) => patch("strategic-merge-patch+json", body, at);

beforeAll(async () => {
  await server.ask(post('{"metadata":{"name":"there"},"data":{"__proto__":"kept","constructor":"kept"}}'));
  const labels = { app: "there" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  const body = JSON.stringify({
    metadata: { name: "there" },
    spec: { selector: { matchLabels: labels }, template },
  });
  const made = await server.ask({ ...post(body), target: deployment.slice(0, deployment.lastIndexOf("/")) });
  expect(made.status).toBe(201);
});

describe("a patch that is refused", () => {
  const operation = (path: string, op = "add") =>
    json(JSON.stringify([{ op, path, value: { polluted: true } }]));
  const tooMany = JSON.stringify(
    Array.from({ length: 10_001 }, () => ({ op: "test", path: "/kind", value: "ConfigMap" })),
  );
  refuses(server, [
    ["an unknown media type", patch("json", "{}"), 415, /./],
    ["a media type of __proto__", { ...merge("{}"), headers: { "content-type": "__proto__" } }, 415, /./],
    ["a JSON patch that is not JSON", json("["), 400, /unexpected end of JSON input/],
    ["a JSON patch that is not a list", json("{}"), 400, /cannot unmarshal object into Go value/],
    ["an operation that is not an object", json('["add"]'), 400, /cannot unmarshal string into Go value/],
    ["an operation that does not exist", operation("/data/a", "constructor"), 422, /./],
    ["a path of __proto__", operation("/__proto__/polluted"), 422, /./],
    ["a path of constructor.prototype", operation("/constructor/prototype/polluted"), 422, /./],
    ["a path into __proto__ of a map", operation("/metadata/__proto__/polluted"), 422, /./],
    ["a test of a missing value", operation("/data/toString", "test"), 422, /./],
    ["a removal of a missing value", operation("/data/hasOwnProperty", "remove"), 422, /./],
    [
      "10,001 operations",
      json(tooMany),
      413,
      "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
    ],
    ["a merge patch that is not JSON", merge("{"), 400, /unexpected end of JSON input|Invalid JSON|invalid/],
    ["a merge patch of half a million levels", merge(repeat('{"a":', 500_000)), 400, /./],
    ["a merge patch of the wrong type", merge('{"data":{"a":{}}}'), 422, /./],
    [
      "a merge patch with a label of __proto__",
      merge('{"metadata":{"labels":{"__proto__":"x"}}}'),
      422,
      /metadata\.labels: Invalid value: "__proto__"/,
    ],
    ["a merge patch that changes the name", merge('{"metadata":{"name":"constructor"}}'), 400, /./],
    [
      "a merge patch from an old version",
      merge('{"metadata":{"resourceVersion":"1"}}'),
      409,
      /the object has been modified/,
    ],
    [
      "a merge patch of a missing object",
      { ...merge("{}"), target: `${configMaps}/constructor` },
      404,
      'configmaps "constructor" not found',
    ],
    [
      "unknown fields in strict validation",
      { ...merge('{"__proto__":1}'), target: `${target}?fieldValidation=Strict` },
      422,
      /unknown field "__proto__"/,
    ],
    [
      "force for a patch that does not support it",
      { ...merge("{}"), target: `${target}?force=true` },
      422,
      /may not be specified for non-apply patch/,
    ],
    [
      "a directive that does not exist",
      strategic('{"spec":{"$patch":"constructor"}}'),
      500,
      "unknown patch type: constructor in map: map[$patch:constructor]",
    ],
    [
      "a list element without its key",
      strategic('{"spec":{"template":{"spec":{"containers":[{"image":"x"}]}}}}'),
      500,
      "map: map[image:x] does not contain declared merge key: name",
    ],
    [
      "an order directive that is not a list",
      strategic('{"spec":{"template":{"spec":{"$setElementOrder/containers":5}}}}'),
      500,
      /./,
    ],
    ["a strategic patch that is not an object", strategic("[]"), 400, /./],
  ]);
});

describe("JavaScript property names are data in a patch", () => {
  test.each([
    [
      "merge-patch+json",
      '{"data":{"__proto__":"new","toString":"new","constructor":null},"constructor":{"prototype":{"polluted":1}}}',
    ],
    [
      "strategic-merge-patch+json",
      '{"data":{"__proto__":"new","toString":"new","constructor":null},"__proto__":{"polluted":1}}',
    ],
    [
      "json-patch+json",
      '[{"op":"add","path":"/data/__proto__","value":"new"},{"op":"add","path":"/data/toString","value":"new"},{"op":"remove","path":"/data/constructor"}]',
    ],
  ])("of type %s", async (type, body) => {
    const name = type.slice(0, type.indexOf("-"));
    await server.ask(
      post(`{"metadata":{"name":"${name}"},"data":{"__proto__":"old","constructor":"old","kept":"old"}}`),
    );
    const patched = await server.ask(patch(type, body, `${configMaps}/${name}`));
    expect(patched.status).toBe(200);
    const { text } = await server.ask(get(`${configMaps}/${name}`));
    expect(patched.text).toBe(text);
    expect(Object.entries(JSON.parse(text).data).sort()).toEqual([
      ["__proto__", "new"],
      ["kept", "old"],
      ["toString", "new"],
    ]);
    expect(text).not.toContain("polluted");
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});
