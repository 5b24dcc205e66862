import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { healthCheckPaths, rootPaths } from "../../endpoints/nonresource/listed-paths.ts";
import { aggregatedDiscovery, aggregatedVersions } from "./aggregated-discovery.ts";
import { discoveryOf } from "./discovery.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./discovery-documents.ts";
import { type DiscoveryGroup, discoveryGroups } from "./discovery-group.ts";

interface Exchange {
  readonly n: number;
  readonly note: string;
  readonly req: { readonly method: string; readonly path: string; readonly headers: Record<string, string> };
  readonly res: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: unknown;
  };
}

const golden = readFileSync("test/conformance/golden/discovery.jsonl", "utf8");
const exchanges = golden
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Exchange);

const view = viewOf({ release: "1.32" });
const groups = discoveryGroups(view);
const otherPaths = [
  "/.well-known/openid-configuration",
  ...healthCheckPaths(featureGates("1.32")),
  "/metrics",
  "/metrics/slis",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/",
  "/openid/v1/jwks",
  "/version",
];

const isDiscovery = ({ req, res }: Exchange): boolean =>
  /^\/(apis?\/?.*)?$/.test(req.path) &&
  [200, 304].includes(res.status) &&
  req.headers.Accept !== "application/yaml";

/** The body that a server would send. */
function answer({ req }: Exchange): { body: string; etag: string | undefined } {
  const [path = "", query] = req.path.split("?");
  const [, root, name, version] = path.split("/");
  const accept = req.headers.Accept ?? "";
  const aggregated = /v=(v2(?:beta1)?);as=APIGroupDiscoveryList/.exec(accept)?.[1];
  if (aggregated !== undefined) {
    const part = root === "api" ? groups.filter((group) => group.name === "") : groups.slice(1);
    const discovery = aggregatedDiscovery(part, view.release);
    const body = `${JSON.stringify(discovery.document(aggregated === "v2" ? "v2" : "v2beta1"))}\n`;
    return { body, etag: discovery.etag };
  }
  const group = groups.find((candidate) => candidate.name === (root === "api" ? "" : name));
  if (root === "")
    return { body: JSON.stringify(rootPaths(groups, otherPaths), undefined, 2), etag: undefined };
  if (root === "api" && !name) return line(apiVersions("10.0.0.10:16443"));
  if (!name) return line(apiGroupList(groups));
  if (group === undefined) throw new Error(path);
  const served = group.versions.find((candidate) => candidate.version === (root === "api" ? name : version));
  if (served !== undefined) return line(apiResourceList(group, served));
  return query === "pretty=1"
    ? { body: JSON.stringify(apiGroup(group), undefined, 2), etag: undefined }
    : line(apiGroup(group));
}

const line = (document: unknown) => ({ body: `${JSON.stringify(document)}\n`, etag: undefined });

describe("the recorded server", () => {
  test.each(
    exchanges
      .filter(isDiscovery)
      .map((exchange) => [exchange.n, exchange.note, exchange.req.path, exchange] as const),
  )("%i: %s %s is answered with the same bytes", (_n, _note, _path, exchange) => {
    const { body, etag } = answer(exchange);
    expect(exchange.res.headers.Etag).toBe(etag);
    if (exchange.res.status === 304) return;
    const recorded = exchange.res.body;
    if (typeof recorded === "object" && recorded !== null && "sha512" in recorded) {
      expect(createHash("sha512").update(body).digest("hex").slice(0, 32)).toBe(recorded.sha512);
    } else {
      expect(body).toBe(typeof recorded === "string" ? recorded : `${JSON.stringify(recorded)}\n`);
    }
  });

  test("is replayed in full: every discovery document of the recording is among them", () => {
    expect(exchanges.filter(isDiscovery).length).toBeGreaterThan(20);
  });
});

describe("discovery", () => {
  const custom: DiscoveryGroup = {
    name: "ex.io",
    versions: [
      {
        version: "v1",
        ownKind: "full",
        freshness: "Current",
        resources: [
          {
            name: "foos",
            singularName: "foo",
            namespaced: true,
            kind: "Foo",
            verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
            shortNames: ["fo"],
            categories: ["all"],
            storageVersionHash: "Ic0/Fpq4BGQ=",
            subresources: [
              {
                name: "status",
                group: "ex.io",
                version: "v1",
                kind: "Foo",
                verbs: ["get", "patch", "update"],
              },
              {
                name: "scale",
                group: "autoscaling",
                version: "v1",
                kind: "Scale",
                verbs: ["get", "patch", "update"],
              },
            ],
          },
        ],
      },
    ],
  };
  const [version] = custom.versions;

  test("lists the resources of a custom group in the given order", () => {
    if (version === undefined) throw new Error("no version");
    expect(JSON.stringify(apiResourceList(custom, version))).toBe(
      '{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"ex.io/v1","resources":[' +
        '{"name":"foos","singularName":"foo","namespaced":true,"kind":"Foo","verbs":["delete","deletecollection","get","list","patch","create","update","watch"],"shortNames":["fo"],"categories":["all"],"storageVersionHash":"Ic0/Fpq4BGQ="},' +
        '{"name":"foos/status","singularName":"","namespaced":true,"kind":"Foo","verbs":["get","patch","update"]},' +
        '{"name":"foos/scale","singularName":"","namespaced":true,"group":"autoscaling","version":"v1","kind":"Scale","verbs":["get","patch","update"]}]}',
    );
  });

  test("names group and version of a custom kind in the aggregated document", () => {
    const { items } = aggregatedDiscovery([custom], "1.32").document("v2");
    expect(items).toMatchObject([
      {
        versions: [
          {
            resources: [
              {
                responseKind: { group: "ex.io", version: "v1", kind: "Foo" },
                subresources: [
                  { responseKind: { group: "ex.io", version: "v1", kind: "Foo" } },
                  { responseKind: { group: "autoscaling", version: "v1", kind: "Scale" } },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  test("keeps the group of a server that does not answer, as stale and without resources", () => {
    const stale = [
      { name: "agg.io", versions: [{ version: "v1", ownKind: "full", freshness: "Stale", resources: [] }] },
    ] as const;
    expect(aggregatedDiscovery(stale, "1.32").document("v2").items).toEqual([
      {
        metadata: { name: "agg.io", creationTimestamp: null },
        versions: [{ version: "v1", freshness: "Stale" }],
      },
    ]);
  });

  test.each([
    ["1.26", []],
    ["1.27", ["v2beta1"]],
    ["1.30", ["v2", "v2beta1"]],
    ["1.32", ["v2", "v2beta1"]],
    ["1.33", ["v2"]],
    ["1.36", ["v2"]],
  ] as const)("offers in %s the aggregated forms %j", (release, forms) => {
    expect(aggregatedVersions(featureGates(release))).toEqual(forms);
  });

  test.each([
    ["1.26", "AggregatedDiscoveryEndpoint", true, ["v2beta1"]],
    ["1.29", "AggregatedDiscoveryEndpoint", false, []],
    ["1.34", "AggregatedDiscoveryRemoveBetaType", false, ["v2", "v2beta1"]],
  ] as const)("offers in %s with the gate %s set to %s the forms %j", (release, gate, isOn, forms) => {
    expect(aggregatedVersions(featureGates(release, new Map([[gate, isOn]])))).toEqual(forms);
  });

  test("omits the zero creationTimestamp since 1.34", () => {
    const later = viewOf({ release: "1.34" });
    const [core] = JSON.parse(
      JSON.stringify(aggregatedDiscovery(discoveryGroups(later), "1.34").document("v2").items),
    ) as [{ metadata: object }];
    expect(core.metadata).toEqual({});
  });

  test("has no singular names of built-in resources before 1.27", () => {
    const singular = (release: string) =>
      discoveryGroups(viewOf({ release }))[0]?.versions[0]?.resources[0]?.singularName;
    expect([singular("1.26"), singular("1.27")]).toEqual(["", "binding"]);
  });

  test("makes a document once", () => {
    const discovery = discoveryOf(view);
    const [core] = discovery.groups;
    const [v1] = core?.versions ?? [];
    if (core === undefined || v1 === undefined) throw new Error("no core group");
    expect(discoveryOf(view)).toBe(discovery);
    expect(discovery.resourceList(core, v1)).toBe(discovery.resourceList(core, v1));
    expect(discovery.aggregated("apis")).toBe(discovery.aggregated("apis"));
  });
});
