import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/apimachinery/json.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const pathOf = (groupVersion: string) => `/apis/${groupVersion}/namespaces/default/ingresses`;
const beta = pathOf("networking.k8s.io/v1beta1");
const extensions = pathOf("extensions/v1beta1");
const v1 = pathOf("networking.k8s.io/v1");

function ingress(spec: object, annotations?: object): object {
  return { metadata: { name: "i", ...(annotations && { annotations }) }, spec };
}

function withBackend(backend: JsonObject): JsonObject {
  return { rules: [{ host: "h", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }] };
}

const resource = { apiGroup: "g", kind: "K", name: "n" };

describe("an Ingress converts between v1beta1 and v1", () => {
  const forms: readonly (readonly [title: string, beta: JsonObject, v1: JsonObject])[] = [
    [
      "a port by number",
      { serviceName: "s", servicePort: 80 },
      { service: { name: "s", port: { number: 80 } } },
    ],
    [
      "a port by name",
      { serviceName: "s", servicePort: "p" },
      { service: { name: "s", port: { name: "p" } } },
    ],
    ["a resource", { resource, servicePort: 0 }, { resource }],
  ];

  describe.each(["1.19", "1.21"])("in %s", (release) => {
    test.each(forms)("with %s", async (_title, before, after) => {
      const asBeta = { backend: before, ...withBackend(before) };
      const asV1 = { defaultBackend: after, ...withBackend(after) };
      for (const path of [beta, extensions]) {
        const send = testClient(quietCluster({ release }));
        const made = await send("POST", path, ingress(asBeta));
        expect([made.code, made.object?.spec]).toEqual([201, asBeta]);
        expect((await send("GET", `${v1}/i`)).object.spec).toEqual(asV1);
      }
      const send = testClient(quietCluster({ release }));
      const made = await send("POST", v1, ingress(asV1));
      expect([made.code, made.object?.spec]).toEqual([201, asV1]);
      expect((await send("GET", `${beta}/i`)).object.spec).toEqual(asBeta);
      expect((await send("GET", `${extensions}/i`)).object.spec).toEqual(asBeta);
    });
  });

  test("also in releases without v1", async () => {
    const send = testClient(quietCluster({ release: "1.18" }));
    const spec = { backend: { serviceName: "s", servicePort: 80 } };
    expect((await send("POST", extensions, ingress(spec))).code).toBe(201);
    expect((await send("GET", `${beta}/i`)).object.spec).toEqual(spec);
  });

  test("and counts changes through both", async () => {
    const send = testClient(quietCluster({ release: "1.21" }));
    await send("POST", beta, ingress({ backend: { serviceName: "s", servicePort: 80 } }));
    const { object } = await send("GET", `${v1}/i`);
    expect((await send("PUT", `${v1}/i`, object)).object.metadata.generation).toBe(1);
    const patched = await send("PATCH", `${beta}/i`, { spec: { backend: { servicePort: "p" } } });
    expect(patched.object.metadata.generation).toBe(2);
    expect((await send("GET", `${v1}/i`)).object.spec.defaultBackend).toEqual({
      service: { name: "s", port: { name: "p" } },
    });
  });
});

describe("an Ingress of v1beta1 is refused with v1beta1's messages for", () => {
  const at = "spec.rules[0].http.paths[0].backend";

  test.each<[title: string, spec: object, findings: readonly unknown[]]>([
    [
      "no backend and no rules",
      {},
      ["spec: Invalid value: []networking.IngressRule(nil): either `backend` or `rules` must be specified"],
    ],
    [
      "an invalid backend",
      { backend: {} },
      ['spec.backend: Invalid value: "": resource or service backend is required'],
    ],
    [
      "only port number zero",
      { backend: { servicePort: 0 } },
      ['spec.backend: Invalid value: "": resource or service backend is required'],
    ],
    [
      "an empty port name",
      { backend: { servicePort: "" } },
      [
        "spec.backend.serviceName: Required value",
        "spec.backend: Required value: port name or number is required",
      ],
    ],
    ["only a port", withBackend({ servicePort: 80 }), [`${at}.serviceName: Required value`]],
    [
      "an invalid service name",
      withBackend({ serviceName: "1a", servicePort: 80 }),
      [expect.stringContaining(`${at}.serviceName: Invalid value: "1a": a DNS-1035 label must consist of`)],
    ],
    [
      "invalid ports",
      {
        backend: { serviceName: "s", servicePort: "1" },
        ...withBackend({ serviceName: "s", servicePort: 70_000 }),
      },
      [
        'spec.backend.servicePort: Invalid value: "1": must contain at least one letter or number (a-z, 0-9)',
        `${at}.servicePort: Invalid value: 70000: must be between 1 and 65535, inclusive`,
      ],
    ],
    [
      "two backends",
      { backend: { serviceName: "s", resource } },
      ['spec.backend: Invalid value: "": cannot set both resource and service backends'],
    ],
  ])("%s", async (_title, spec, findings) => {
    for (const path of [beta, extensions]) {
      const send = testClient(quietCluster({ release: "1.21" }));
      expect((await send("POST", path, ingress(spec))).findings).toEqual(findings);
    }
  });
});

describe("before 1.19 a backend is a service, and refused for", () => {
  test.each<[title: string, backend: object, findings: readonly string[]]>([
    ["no name", { servicePort: 80 }, ["spec.backend.serviceName: Required value"]],
    ["an empty spec", {}, ["spec.backend.serviceName: Required value"]],
    [
      "no port",
      { serviceName: "s" },
      ["spec.backend.servicePort: Invalid value: 0: must be between 1 and 65535, inclusive"],
    ],
    [
      "a port that is not a name",
      { serviceName: "s", servicePort: "a--b" },
      ['spec.backend.servicePort: Invalid value: "a--b": must not contain consecutive hyphens'],
    ],
  ])("%s", async (_title, backend, findings) => {
    const send = testClient(quietCluster({ release: "1.18" }));
    expect((await send("POST", beta, ingress({ backend }))).findings).toEqual(findings);
  });
});

describe("an Ingress of v1beta1 may have values that v1 refuses:", () => {
  const backend = { serviceName: "s", servicePort: 80 };

  test.each<[title: string, spec: object, isRefusedLater: boolean]>([
    ["invalid secret names", { backend, tls: [{ secretName: "A_" }] }, true],
    ["rules of hosts with wildcards", { rules: [{ host: "*.a", http: { paths: [] } }] }, true],
    ["no list of paths of such a host", { rules: [{ host: "*.a", http: {} }] }, true],
    ["paths without a type, which get a default", { rules: [{ http: { paths: [{ backend }] } }] }, false],
  ])("%s", async (_title, spec, isRefusedLater) => {
    const send = testClient(quietCluster({ release: "1.21" }));
    expect((await send("POST", beta, ingress(spec))).code).toBe(201);
    // Existing values are kept, through both versions.
    expect((await send("PATCH", `${v1}/i`, { metadata: { labels: { a: "b" } } })).code).toBe(200);
    const { object } = await send("GET", `${v1}/i`);
    const { code } = await send("POST", v1, { ...object, metadata: { name: "other" } });
    expect(code).toBe(isRefusedLater ? 422 : 201);
  });
});

test.each<[release: string, className: string, finding: string | undefined]>([
  ["1.26", "x", "can not be set when the class field is also set"],
  ["1.27", "x", undefined],
  ["1.27", "y", "must match `ingressClassName` when both are specified"],
])(
  "in %s an Ingress with the annotation x and the class %s is checked",
  async (release, className, detail) => {
    const send = testClient(quietCluster({ release }));
    const spec = {
      ingressClassName: className,
      defaultBackend: { service: { name: "s", port: { number: 80 } } },
    };
    const { findings } = await send("POST", v1, ingress(spec, { "kubernetes.io/ingress.class": "x" }));
    const finding = `annotations.kubernetes.io/ingress.class: Invalid value: "x": ${detail}`;
    expect(findings).toEqual(detail === undefined ? [] : [finding]);
  },
);
