import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { Release } from "../../apimachinery/release.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { decodeCbor } from "../../codec/cbor/cbor.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { serveZpage } from "./zpages.ts";

const startedAt = Date.UTC(2026, 2, 4, 5, 6, 7);

interface Asked {
  readonly path?: "/statusz" | "/flagz";
  readonly accept?: string;
  /** The time since the start. */
  readonly seconds?: number;
  readonly random?: number;
  readonly gates?: readonly (readonly [string, boolean])[];
}

const on = [
  ["ComponentStatusz", true],
  ["ComponentFlagz", true],
] as const;

async function page(
  release: Release,
  { path = "/statusz", accept, seconds = 0, random = 0, gates = on }: Asked = {},
) {
  const headers = new Map(accept === undefined ? [] : [["accept", accept]]);
  const request = plainRequest({ method: "GET", target: path, headers });
  // The pages read nothing else.
  const context: Partial<RequestContext> = { path, request, now: startedAt + seconds * 1000 };
  const flags = new Map([
    ["v", "0"],
    ["feature-gates", "A=true"],
  ]);
  const environment = {
    startedAt,
    random: () => random,
    catalog: catalogOf({ release }),
    gates: featureGates(release, new Map(gates)),
    served: { current: viewOf({ release }) },
    debugging: { profiling: true, logsHandler: true, flags: () => flags },
  };
  const response = await serveZpage(context as RequestContext, environment as unknown as EndpointEnvironment);
  if (response === undefined) return undefined;
  const body = await readResponseBody(response.body);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    text: new TextDecoder().decode(body),
  };
}

const plain = { "Content-Type": "text/plain; charset=utf-8" };
const warning =
  "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.\n";

describe("the status as text", () => {
  test.each([
    ["1.32", ""],
    ["1.34", "Paths:  /flagz /healthz /livez /logs /metrics /readyz /statusz /version\n"],
    ["1.35", "Paths: /flagz /healthz /livez /logs /metrics /readyz /statusz /version\n"],
  ] as const)("has in %s the paths %j", async (release, paths) => {
    expect(await page(release, { accept: "text/plain" })).toMatchObject({
      status: 200,
      headers: plain,
      text: [
        `\nkube-apiserver statusz\n${warning}`,
        "Started: Wed Mar  4 05:06:07 UTC 2026",
        "Up: 0 hr 00 min 00 sec",
        "Go version: kubedouble",
        `Binary version: ${release}.0`,
        `Emulation version: ${release}`,
        paths,
      ].join("\n"),
    });
  });

  test.each([
    [59, "0 hr 00 min 59 sec"],
    [60, "0 hr 01 min 00 sec"],
    [3599, "0 hr 59 min 59 sec"],
    [3600, "1 hr 00 min 00 sec"],
    [100 * 3600 + 61.9, "100 hr 01 min 01 sec"],
    [-5, "0 hr 00 min 00 sec"],
  ])("after %d seconds says %s", async (seconds, expected) => {
    expect((await page("1.35", { seconds }))?.text).toContain(`\nUp: ${expected}\n`);
  });

  test.each([
    [0, ":"],
    [0.25, ": "],
    [0.5, "="],
    [0.99, " "],
  ])("has for the random number %d the separator %j", async (random, separator) => {
    expect((await page("1.32", { accept: "text/plain", random }))?.text).toContain(
      `\nGo version${separator} kubedouble\n`,
    );
    expect((await page("1.32", { path: "/flagz", accept: "text/plain", random }))?.text).toContain(
      `\nv${separator}0\n`,
    );
  });
});

test.each([
  ["1.32", `\nkube-apiserver flags\n${warning}\nfeature-gates:A=true\nv:0\n`],
  ["1.35", `\nkube-apiserver flagz\n${warning}feature-gates:A=true\nv:0\n`],
] as const)("the flags of %s as text are sorted", async (release, text) => {
  expect((await page(release, { path: "/flagz", accept: "text/plain" }))?.text).toBe(text);
});

test("each page has its gate", async () => {
  const [statusz, flagz] = [[["ComponentFlagz", false]] as const, [["ComponentStatusz", false]] as const];
  expect(await page("1.36", { gates: statusz, path: "/flagz" })).toBeUndefined();
  expect((await page("1.36", { gates: statusz }))?.status).toBe(200);
  expect(await page("1.36", { gates: flagz })).toBeUndefined();
  expect((await page("1.36", { gates: flagz, path: "/flagz" }))?.status).toBe(200);
});

describe("before 1.35 a page is text that must be accepted", () => {
  test.each(["text/plain", "text/*", "*/*", "application/json, text/plain;charset=UTF-8", "*/plain"])(
    "%s",
    async (accept) => {
      expect((await page("1.34", { accept }))?.status).toBe(200);
    },
  );

  test.each([
    undefined,
    "",
    "text/html",
    "application/plain",
    "text/plain;charset=latin1",
    "text/plain;as=Statusz",
    "text/plain;charset=utf-8;as=x",
  ])("not %s", async (accept) => {
    const refused = { status: 406, text: "media type not acceptable, must be: text/plain\n" };
    expect(await page("1.34", accept === undefined ? {} : { accept })).toMatchObject(refused);
  });
});

describe("since 1.35 a page is an object for those who ask for it", () => {
  const kinds = { "/statusz": "Statusz", "/flagz": "Flagz" };
  const object = (type: string, version: string, kind = "Statusz") =>
    `${type};as=${kind};g=config.k8s.io;v=${version}`;

  test.each([undefined, "", " ", "text/plain", "text/plain;charset=x", "*/*"])(
    "and text for %j",
    async (accept) => {
      expect(await page("1.35", accept === undefined ? {} : { accept })).toMatchObject({
        status: 200,
        headers: plain,
      });
    },
  );

  test.each([
    ["1.35", "application/json", "application/json, text/plain"],
    ["1.35", object("application/yaml", "v1alpha1"), "application/json, text/plain"],
    ["1.35", object("application/json", "v1beta1"), "application/json, text/plain"],
    ["1.36", object("application/json", "v1"), "application/json, application/yaml, text/plain"],
    ["1.36", object("application/json", ""), "application/json, application/yaml, text/plain"],
    ["1.36", object("application/cbor", "v1beta1"), "application/json, application/yaml, text/plain"],
    [
      "1.36",
      object("application/json", "v1beta1", "Flagz"),
      "application/json, application/yaml, text/plain",
    ],
    [
      "1.36",
      "application/json;as=Statusz;g=other.k8s.io;v=v1beta1",
      "application/json, application/yaml, text/plain",
    ],
    ["1.36", "text/plain;as=Statusz", "application/json, application/yaml, text/plain"],
  ] as const)("%s refuses %s", async (release, accept, types) => {
    await expect(page(release, { accept })).rejects.toMatchObject({
      code: 406,
      message: `only the following media types are accepted: ${types}`,
    });
  });

  test("of its kind, in JSON with an end of line", async () => {
    for (const path of ["/statusz", "/flagz"] as const) {
      const found = await page("1.35", { path, accept: object("application/json", "v1alpha1", kinds[path]) });
      expect([found?.status, found?.headers]).toEqual([200, { "Content-Type": "application/json" }]);
      expect(found?.text).toMatch(/^\{.*\}\n$/);
      expect(JSON.parse(found?.text ?? "")).toMatchObject({
        kind: kinds[path],
        apiVersion: "config.k8s.io/v1alpha1",
        metadata: { name: "kube-apiserver" },
      });
    }
  });

  test("with all that the text says", async () => {
    const accept = object("application/json", "v1alpha1");
    expect(JSON.parse((await page("1.35", { accept, seconds: 61 }))?.text ?? "")).toEqual({
      kind: "Statusz",
      apiVersion: "config.k8s.io/v1alpha1",
      metadata: { name: "kube-apiserver" },
      startTime: "2026-03-04T05:06:07Z",
      uptimeSeconds: 61,
      goVersion: "kubedouble",
      binaryVersion: "1.35.0",
      emulationVersion: "1.35",
      paths: ["/flagz", "/healthz", "/livez", "/logs", "/metrics", "/readyz", "/statusz", "/version"],
    });
    const flags = await page("1.35", {
      path: "/flagz",
      accept: object("application/json", "v1alpha1", "Flagz"),
    });
    expect(JSON.parse(flags?.text ?? "")).toMatchObject({ flags: { "feature-gates": "A=true", v: "0" } });
  });

  test.each([
    ["/statusz", "statusz"],
    ["/flagz", "flagz"],
  ] as const)("in 1.36 with a warning for its first version: %s", async (path, name) => {
    const asked = (version: string) => ({ path, accept: object("application/json", version, kinds[path]) });
    expect((await page("1.36", asked("v1alpha1")))?.headers["Warning"]).toBe(
      `299 - "This version of the ${name} endpoint is deprecated. Please use a newer version."`,
    );
    expect((await page("1.36", asked("v1beta1")))?.headers).not.toHaveProperty("Warning");
  });

  test("in YAML, and in CBOR if its gate is on", async () => {
    const yaml = await page("1.36", { accept: object("application/yaml", "v1beta1") });
    expect(yaml?.headers).toEqual({ "Content-Type": "application/yaml" });
    expect(yaml?.text).toMatch(/^apiVersion: config\.k8s\.io\/v1beta1$/m);
    const gates = [...on, ["CBORServingAndStorage", true]] as const;
    const cbor = await page("1.36", { gates, accept: object("application/cbor", "v1beta1") });
    expect(cbor?.headers).toEqual({ "Content-Type": "application/cbor" });
    expect(decodeCbor(cbor?.body ?? new Uint8Array())).toMatchObject({ kind: "Statusz" });
  });

  test("in the order of what is accepted", async () => {
    const json = object("application/json", "v1beta1");
    expect((await page("1.36", { accept: `text/plain, ${json}` }))?.headers).toEqual(plain);
    expect((await page("1.36", { accept: `${json}, text/plain` }))?.headers).toEqual({
      "Content-Type": "application/json",
    });
  });
});
