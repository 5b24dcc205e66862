import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { QuietServer, type RawAnswer } from "./quiet-server.ts";

const server = new QuietServer();
afterAll(() => server.cluster.close());

const configMaps = "/api/v1/namespaces/default/configmaps";
const target = `${configMaps}/p`;
const unprocessable = "the server rejected our request due to an error in our request";

interface Sent {
  readonly at?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function patch(body: unknown, { at = target, type = "merge-patch+json", headers = {} }: Sent = {}) {
  return server.ask({
    method: "PATCH",
    target: at,
    headers: { "content-type": `application/${type}`, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

function messageOf({ text }: RawAnswer): string {
  return JSON.parse(text).message;
}

async function current() {
  return JSON.parse((await server.ask({ method: "GET", target })).text);
}

beforeEach(async () => {
  await server.ask({ method: "DELETE", target });
  const body = JSON.stringify({ metadata: { name: "p" }, data: { k: "v" } });
  await server.ask({
    method: "POST",
    target: configMaps,
    headers: { "content-type": "application/json" },
    body,
  });
});

describe("the type of a patch", () => {
  const accepted =
    "application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml";
  const unknownFormat = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
  const noRoute = "406: Not Acceptable\n\nAvailable representations: ";

  test.each<[contentType: string, body: string, code: number, message: string | undefined]>([
    ["application/merge-patch+json", "{}", 200, undefined],
    ["application/merge-patch+json; charset=utf-8", "{}", 200, undefined],
    ["application/merge-patch+json ;charset=utf-8", "{}", 415, unknownFormat],
    ["text/plain, application/merge-patch+json", "{}", 415, unknownFormat],
    ["application/json", "{}", 415, "415: Unsupported Media Type"],
    ["Application/Merge-Patch+Json", "{}", 415, "415: Unsupported Media Type"],
    ["", "{}", 415, "415: Unsupported Media Type"],
    ["application/json", "", 406, noRoute],
  ])("%j with the body %j", async (contentType, body, code, message) => {
    const answer = await patch(body, { headers: { "content-type": contentType } });
    expect(answer.status).toBe(code);
    if (message !== undefined) expect(messageOf(answer)).toBe(message);
  });

  test.each([
    ["is checked before Accept if it is unknown", "application/json", 415, "415: Unsupported Media Type"],
    ["is accepted before Accept is checked", "application/merge-patch+json", 406, /^406: Not Acceptable/],
    [
      "is accepted if the router accepts one part of it",
      "text/x, application/merge-patch+json",
      406,
      /^406: Not/,
    ],
  ])("%s", async (_title, contentType, code, message) => {
    const answer = await patch("{}", { headers: { "content-type": contentType, accept: "text/html" } });
    expect(answer.status).toBe(code);
    expect(messageOf(answer)).toMatch(message);
  });

  test("is refused without representations for an unknown type in a chunked request", async () => {
    const headers = { "content-type": "text/plain", "transfer-encoding": "chunked" };
    const answer = await patch("x", { headers });
    expect(answer.status).toBe(415);
    expect(messageOf(answer)).toBe("415: Unsupported Media Type\n\nAvailable representations: ");
  });
});

describe("errors are reported in upstream's order", () => {
  const missing = `${configMaps}/missing`;
  const forbidden =
    'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch';

  test.each<[title: string, body: string, sent: Sent, code: number, message: string]>([
    [
      "the type before the options",
      "zz",
      { at: `${missing}?force=true`, type: "json" },
      415,
      "415: Unsupported Media Type",
    ],
    ["the options before the object", "zz", { at: `${missing}?force=true` }, 422, forbidden],
    ["the object before the body", "zz", { at: missing }, 404, 'configmaps "missing" not found'],
    [
      "the body before the name",
      "zz",
      {},
      400,
      "error decoding patch: invalid character 'z' looking for beginning of value",
    ],
    [
      "the namespace before the name",
      '{"metadata":{"name":"x","namespace":"x"}}',
      {},
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
    [
      "the name before the version",
      '{"metadata":{"name":"x","resourceVersion":"1"}}',
      {},
      400,
      "the name of the object (x) does not match the name on the URL (p)",
    ],
  ])("%s", async (_title, body, sent, code, message) => {
    const answer = await patch(body, sent);
    expect(answer.status).toBe(code);
    expect(messageOf(answer)).toBe(message);
  });
});

describe("concurrent patches", () => {
  test.each([
    ["merge-patch+json", (key: string) => ({ data: { [key]: "1" } })],
    ["strategic-merge-patch+json", (key: string) => ({ data: { [key]: "1" } })],
    ["json-patch+json", (key: string) => [{ op: "add", path: `/data/${key}`, value: "1" }]],
  ])("of type %s all take effect", async (type, bodyFor) => {
    const keys = Array.from({ length: 40 }, (_, i) => `k${i}`);
    const answers = await Promise.all(keys.map((key) => patch(bodyFor(key), { type })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Object.keys((await current()).data).sort()).toEqual(["k", ...keys].sort());
  });

  test("with the same resourceVersion have one winner", async () => {
    const { resourceVersion } = (await current()).metadata;
    const bodies = ["a", "b", "c"].map((key) => ({ metadata: { resourceVersion }, data: { [key]: "1" } }));
    const answers = await Promise.all(bodies.map((body) => patch(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe("a resourceVersion in a patch", () => {
  test.each<[title: string, resourceVersion: string | null, code: number]>([
    ["is ignored if it is empty", "", 200],
    ["is ignored if it is removed", null, 200],
    ["is a conflict if it is old", "1", 409],
    ["is a server error if it is not a number", "x", 500],
  ])("%s", async (_title, resourceVersion, code) => {
    const answer = await patch({ metadata: { resourceVersion }, data: { n: "1" } });
    expect(answer.status).toBe(code);
  });
});

describe("a patch of the kind or version", () => {
  const scheme = 'in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"';
  const noName = "the name of the object (p based on URL) was undeterminable: name must be provided";

  test.each<[title: string, patch: unknown, code: number, message: string | RegExp]>([
    [
      "to another kind with compatible fields",
      { kind: "Endpoints", data: null },
      422,
      /: converting \(v1\.Endpoints\) to \(core\.ConfigMap\): unknown conversion$/,
    ],
    [
      "to another kind with incompatible fields",
      { kind: "Secret" },
      422,
      /: illegal base64 data at input byte 0$/,
    ],
    [
      "to an unknown kind",
      { kind: "Zork" },
      422,
      `: no kind "Zork" is registered for version "v1" ${scheme}`,
    ],
    [
      "to an unknown version",
      { apiVersion: "v9" },
      422,
      `: no kind "ConfigMap" is registered for version "v9" ${scheme}`,
    ],
    ["to an invalid version", { apiVersion: "a/b/c" }, 422, /unexpected GroupVersion string: a\/b\/c$/],
    [
      "to a kind that is not a string",
      { kind: 5 },
      422,
      /json: cannot unmarshal number into Go struct field \.kind of type string$/,
    ],
    ["to no version, which leaves no known fields", { apiVersion: null }, 400, noName],
  ])("%s", async (_title, body, code, message) => {
    const answer = await patch(body);
    expect(answer.status).toBe(code);
    if (typeof message === "string") expect(messageOf(answer)).toContain(message);
    else expect(messageOf(answer)).toMatch(message);
  });

  test("to no kind changes nothing", async () => {
    expect((await patch({ kind: null, data: { n: "1" } })).status).toBe(200);
  });

  test("to another version uses the fields of that version", async () => {
    const scalers = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    const scaleTargetRef = { kind: "Deployment", name: "d", apiVersion: "apps/v1" };
    const object = { metadata: { name: "h" }, spec: { maxReplicas: 3, scaleTargetRef } };
    const headers = { "content-type": "application/json" };
    await server.ask({ method: "POST", target: scalers, headers, body: JSON.stringify(object) });
    const spec = { metrics: null, targetCPUUtilizationPercentage: 7 };
    const answer = await patch({ apiVersion: "autoscaling/v1", spec }, { at: `${scalers}/h` });
    const target = { type: "Utilization", averageUtilization: 7 };
    expect(JSON.parse(answer.text)).toMatchObject({
      apiVersion: "autoscaling/v2",
      spec: { metrics: [{ type: "Resource", resource: { name: "cpu", target } }] },
    });
  });

  test("with a value of the wrong type is refused with the patch that it is", async () => {
    const answer = await patch({ data: { k: { a: 1 } } }, { type: "strategic-merge-patch+json" });
    expect(answer.status).toBe(422);
    expect(messageOf(answer)).toMatch(
      /^ "" is invalid: patch: Invalid value: "map\[data:map\[k:map\[a:1\]\]\]": /,
    );
  });

  test("is ignored in a strategic merge patch", async () => {
    const answer = await patch(
      { kind: "Secret", apiVersion: "v9", data: { n: "1" } },
      { type: "strategic-merge-patch+json" },
    );
    expect(JSON.parse(answer.text)).toMatchObject({
      kind: "ConfigMap",
      apiVersion: "v1",
      data: { k: "v", n: "1" },
    });
  });

  test("without a version makes every field unknown", async () => {
    const answer = await patch([{ op: "remove", path: "/apiVersion" }], { type: "json-patch+json" });
    expect(answer.headers.get("warning")).toBe(
      '299 - "unknown field \\"data\\"", 299 - "unknown field \\"metadata\\""',
    );
    expect(answer.status).toBe(400);
  });
});

describe("a dry run of a patch", () => {
  test("changes nothing and returns the result", async () => {
    const answer = await patch({ data: { n: "1" } }, { at: `${target}?dryRun=All` });
    expect(JSON.parse(answer.text).data).toEqual({ k: "v", n: "1" });
    expect((await current()).data).toEqual({ k: "v" });
  });
});

describe("unknown fields", () => {
  const json = { type: "json-patch+json" };
  const operation = [{ op: "add", path: "/zork", value: { a: 1 }, bogus: 1 }];

  test("are reported in the patch, and then in the object", async () => {
    const answer = await patch(operation, { ...json, at: `${target}?fieldValidation=Strict` });
    expect(messageOf(answer)).toMatch(
      /: strict decoding error: json patch unknown field "\[0\]\.bogus", unknown field "zork"$/,
    );
  });

  test("are ignored with fieldValidation=Ignore", async () => {
    const answer = await patch(operation, { ...json, at: `${target}?fieldValidation=Ignore` });
    expect([answer.status, answer.headers.get("warning")]).toEqual([200, undefined]);
  });

  test("are not reported if the patch fails anyway", async () => {
    const failing = [...operation, { op: "test", path: "/data/k", value: "x" }];
    const answer = await patch(failing, { ...json, at: `${target}?fieldValidation=Strict` });
    expect([answer.status, messageOf(answer)]).toEqual([422, unprocessable]);
  });
});
