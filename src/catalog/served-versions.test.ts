import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { catalogFiles as packedFiles } from "../../tools/packers/catalog.mjs";
import { builtinIndex } from "./builtin.ts";
import { catalogOf } from "./catalog.ts";
import { catalogFiles } from "./catalog-files.ts";
import { releasesOf } from "./served-versions.ts";

const directory = fileURLToPath(new URL("generated", import.meta.url));

interface Lifecycle {
  readonly since: string;
  readonly removed?: string;
  readonly enabledByDefault: boolean;
}

interface File extends Lifecycle {
  readonly group: string;
  readonly version: string;
  readonly served?: boolean;
  readonly resources?: { readonly [resource: string]: Partial<Lifecycle> };
}

test.each(packedFiles(directory))("the index has the releases of every resource of %s", (name) => {
  const file: File = JSON.parse(readFileSync(`${directory}/${name}`, "utf8"));
  for (const [resource, own] of Object.entries(file.resources ?? {})) {
    const { since, removed, enabledByDefault } = { ...file, ...own };
    const found = releasesOf({ group: file.group, version: file.version, resource });
    expect([resource, found]).toEqual([
      resource,
      file.served === false
        ? undefined
        : {
            first: since,
            last: removed === undefined ? "1.36" : lastBefore(removed),
            removed,
            isServedByDefault: enabledByDefault,
          },
    ]);
  }
});

/** The last release of the catalog before the one that removed a resource. */
function lastBefore(removed: string): string {
  return `1.${Math.min(Number(removed.slice("1.".length)) - 1, 36)}`;
}

test("every file of the index can be read", () => {
  const entries = JSON.parse(builtinIndex) as readonly { group: string; version: string }[];
  const keys = entries.map(({ group, version }) => {
    if (group === "") return `core/${version}`;
    return group === "meta.k8s.io" ? `meta/${version}` : `${group}/${version}`;
  });
  expect([...catalogFiles.keys()].sort()).toEqual([...keys].sort());
});

const always = "16-36";

/** The versions that a default server serves, the preferred one first, by ranges of minor releases. */
const served: Record<string, Record<string, string>> = {
  "": { [always]: "v1" },
  "apiregistration.k8s.io": { "16-21": "v1,v1beta1", "22-36": "v1" },
  extensions: { "16-21": "v1beta1" },
  apps: { [always]: "v1" },
  "events.k8s.io": { "16-18": "v1beta1", "19-24": "v1,v1beta1", "25-36": "v1" },
  "authentication.k8s.io": { "16-21": "v1,v1beta1", "22-36": "v1" },
  "authorization.k8s.io": { "16-21": "v1,v1beta1", "22-36": "v1" },
  autoscaling: {
    "16-22": "v1,v2beta1,v2beta2",
    "23-24": "v2,v1,v2beta1,v2beta2",
    "25-25": "v2,v1,v2beta2",
    "26-36": "v2,v1",
  },
  batch: { "16-24": "v1,v1beta1", "25-36": "v1" },
  "certificates.k8s.io": { "16-18": "v1beta1", "19-21": "v1,v1beta1", "22-36": "v1" },
  "networking.k8s.io": { "16-21": "v1,v1beta1", "22-36": "v1" },
  policy: { "16-20": "v1beta1", "21-24": "v1,v1beta1", "25-36": "v1" },
  "rbac.authorization.k8s.io": { "16-21": "v1,v1beta1", "22-36": "v1" },
  "storage.k8s.io": { "16-26": "v1,v1beta1", "27-36": "v1" },
  "admissionregistration.k8s.io": { "16-21": "v1,v1beta1", "22-36": "v1" },
  "apiextensions.k8s.io": { "16-21": "v1,v1beta1", "22-36": "v1" },
  "scheduling.k8s.io": { "16-21": "v1,v1beta1", "22-36": "v1" },
  "coordination.k8s.io": { "16-21": "v1,v1beta1", "22-36": "v1" },
  "node.k8s.io": { "16-19": "v1beta1", "20-24": "v1,v1beta1", "25-36": "v1" },
  "discovery.k8s.io": { "17-20": "v1beta1", "21-24": "v1,v1beta1", "25-36": "v1" },
  "resource.k8s.io": { "34-36": "v1" },
  "flowcontrol.apiserver.k8s.io": {
    "20-22": "v1beta1",
    "23-25": "v1beta2,v1beta1",
    "26-28": "v1beta3,v1beta2",
    "29-31": "v1,v1beta3",
    "32-36": "v1",
  },
};

/** The lines of the table for one release, in their order. */
function expected(minor: number): readonly string[] {
  return Object.entries(served).flatMap(([group, ranges]) => {
    const range = Object.entries(ranges).find(([key]) => {
      const [first = 0, last = 0] = key.split("-").map(Number);
      return minor >= first && minor <= last;
    });
    return range === undefined ? [] : [`${group}: ${range[1]}`];
  });
}

function servedBy(release: string, runtimeConfig: Record<string, boolean> = {}): readonly string[] {
  const versions = new Map<string, string[]>();
  const catalog = catalogOf({ release, runtimeConfig: new Map(Object.entries(runtimeConfig)) });
  for (const { group, version } of catalog.groupVersions()) {
    versions.set(group, [...(versions.get(group) ?? []), version]);
  }
  return [...versions].map(([group, names]) => `${group}: ${names.join()}`);
}

test.each(Array.from({ length: 21 }, (_, index) => 16 + index))(
  "1.%i serves its groups and versions in discovery's order",
  (minor) => expect(servedBy(`1.${minor}`)).toEqual(expected(minor)),
);

test("everything that can be enabled has its place in discovery", () => {
  const names = (release: string) => servedBy(release, { "api/all": true }).slice(-6);
  expect(names("1.32")).toEqual([
    "node.k8s.io: v1",
    "discovery.k8s.io: v1",
    "resource.k8s.io: v1beta1,v1alpha3",
    "flowcontrol.apiserver.k8s.io: v1",
    "internal.apiserver.k8s.io: v1alpha1",
    "storagemigration.k8s.io: v1alpha1",
  ]);
  expect(names("1.31").slice(-3)).toEqual([
    "internal.apiserver.k8s.io: v1alpha1",
    "resource.k8s.io: v1alpha3",
    "storagemigration.k8s.io: v1alpha1",
  ]);
});

describe("resources that were added to a version, or removed from it", () => {
  const has = (release: string, group: string, version: string, path: string): boolean => {
    const [resource = "", subresource] = path.split("/");
    const found = catalogOf({ release }).resource({ group, version, resource });
    return subresource === undefined ? found !== undefined : found?.subresources.has(subresource) === true;
  };
  test.each([
    ["extensions", "v1beta1", "ingresses", 16, 22],
    ["batch", "v1", "cronjobs", 21, undefined],
    ["policy", "v1beta1", "podsecuritypolicies", 16, 25],
    ["storage.k8s.io", "v1", "csidrivers", 18, undefined],
    ["storage.k8s.io", "v1beta1", "csistoragecapacities", 21, 27],
    ["authentication.k8s.io", "v1", "selfsubjectreviews", 28, undefined],
    ["", "v1", "pods/ephemeralcontainers", 23, undefined],
    ["", "v1", "pods/resize", 33, undefined],
    ["admissionregistration.k8s.io", "v1", "validatingadmissionpolicies", 30, undefined],
  ] as const)("%s/%s %s: from 1.%i until %s", (group, version, path, first, end) => {
    for (let minor = 16; minor <= 36; minor++) {
      const expectation = minor >= first && (end === undefined || minor < end);
      expect(has(`1.${minor}`, group, version, path), `1.${minor}`).toBe(expectation);
    }
  });

  test("extensions serves ingresses only, unless its other resources are enabled", () => {
    const names = (runtimeConfig: Record<string, boolean>) =>
      catalogOf({ release: "1.16", runtimeConfig: new Map(Object.entries(runtimeConfig)) })
        .resources({ group: "extensions", version: "v1beta1" })
        .map(({ resource }) => resource);
    expect(names({})).toEqual(["ingresses"]);
    expect(names({ "extensions/v1beta1/daemonsets": true })).toEqual(["daemonsets", "ingresses"]);
  });
});
