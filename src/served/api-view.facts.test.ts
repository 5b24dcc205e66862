import { describe, expect, test } from "vitest";
import { viewOf } from "../../test/api-view.ts";
import recorded from "../catalog/generated/kinds-1.32.json?raw";
import { tableColumns } from "../catalog/table-columns.ts";
import { storageVersionHash } from "./discovery/storage-version-hash.ts";

interface Kind {
  readonly groupVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: Record<string, { kind: string; verbs: string[]; group?: string; version?: string }>;
  readonly storageKey?: string;
  readonly storageVersionHash?: string;
  readonly columns?: readonly unknown[];
  readonly fieldSelectors?: readonly string[];
  readonly resetFields?: { readonly [endpoint: string]: readonly string[] };
  readonly createOnUpdate?: boolean;
  readonly unconditionalUpdate?: boolean;
  readonly deleteReturnsObject?: boolean;
}

const kinds = JSON.parse(recorded) as readonly Kind[];
const everything = viewOf({ release: "1.32", runtimeConfig: new Map([["api/all", true]]) });
const byDefault = viewOf({ release: "1.32" });

function gvrOf({ groupVersion, resource }: Pick<Kind, "groupVersion" | "resource">) {
  const [version = "", group = ""] = groupVersion.split("/").reverse();
  return { group, version, resource };
}

test("the facts match the records", () => {
  const named = (facts: readonly unknown[]) => kinds.map((kind, index) => [gvrOf(kind), facts[index]]);
  const expected = kinds.map((kind) => ({
    storagePrefix: kind.storageKey?.replace(/(\/\{ns\})?\/\{name\}$/, "") ?? `/registry/${kind.resource}`,
    fieldSelectors: kind.fieldSelectors ?? ["metadata.name", "metadata.namespace"],
    resetFields: new Map(Object.entries(kind.resetFields ?? {})),
    createOnUpdate: kind.createOnUpdate ?? false,
    unconditionalUpdate: kind.unconditionalUpdate ?? true,
    deleteReturnsObject: kind.deleteReturnsObject ?? false,
  }));
  expect(named(kinds.map((kind) => everything.facts(gvrOf(kind))))).toEqual(named(expected));
});

describe("the catalog and the facts of 1.32 agree", () => {
  test.each(kinds.map((kind) => [kind.groupVersion, kind.resource, kind] as const))(
    "on %s %s",
    (_gv, _name, kind) => {
      const gvr = gvrOf(kind);
      const resource = everything.resource(gvr);
      expect(resource).toMatchObject({
        kind: kind.kind,
        singular: kind.singular,
        namespaced: kind.namespaced,
        verbs: kind.verbs,
        shortNames: kind.shortNames ?? [],
        categories: kind.categories ?? [],
      });
      const subresources = [...(resource?.subresources.values() ?? [])].map(({ name, gvk, verbs }) => [
        name,
        {
          kind: gvk.kind,
          verbs,
          ...(gvk.group !== gvr.group && { group: gvk.group, version: gvk.version }),
        },
      ]);
      expect(Object.fromEntries(subresources)).toEqual(kind.subresources ?? {});
      const facts = everything.facts(gvr);
      if (kind.columns !== undefined) expect(tableColumns([gvr])).toEqual(kind.columns);
      const suffix = kind.namespaced ? "/{ns}/{name}" : "/{name}";
      if (kind.storageKey !== undefined) expect(facts.storagePrefix + suffix).toBe(kind.storageKey);
      if (byDefault.resource(gvr) !== undefined) expect(hashOf(gvr, kind)).toBe(kind.storageVersionHash);
    },
  );

  test("on the list of resources", () => {
    const listed = everything.groupVersions().flatMap((gv) => everything.resources(gv));
    expect(listed.length).toBe(kinds.length);
  });
});

function hashOf(gvr: ReturnType<typeof gvrOf>, { kind, verbs }: Kind): string | undefined {
  const stored = verbs.includes("watch") ? everything.storageVersion(gvr) : undefined;
  return stored && storageVersionHash({ ...stored, kind });
}

describe("a resource's facts", () => {
  test.each([
    ["batch", "v1beta1", "cronjobs", "/registry/cronjobs", 10],
    ["extensions", "v1beta1", "ingresses", "/registry/ingress", 6],
    ["extensions", "v1beta1", "deployments", "/registry/deployments", 8],
    ["settings.k8s.io", "v1alpha1", "podpresets", "/registry/podpresets", 2],
  ])(
    "%s/%s %s are those of another version or group, or the default ones",
    (group, version, resource, prefix, columns) => {
      const facts = everything.facts({ group, version, resource });
      expect(facts.storagePrefix).toBe(prefix);
      const gvr = { group, version, resource };
      expect(tableColumns([gvr, { ...everything.storedAs(gvr), version }])).toHaveLength(columns);
      expect(facts.unconditionalUpdate).toBe(true);
    },
  );

  test("have the paths that each endpoint resets", () => {
    const { resetFields } = everything.facts({ group: "", version: "v1", resource: "namespaces" });
    expect([...resetFields]).toEqual([
      ["main", ["status"]],
      ["status", ["spec"]],
      ["finalize", ["status"]],
    ]);
  });
});

describe("a release stores a resource in a version that the previous release can read", () => {
  test.each([
    ["certificates.k8s.io", "certificatesigningrequests", "1.18", "v1beta1"],
    ["certificates.k8s.io", "certificatesigningrequests", "1.19", "v1beta1"],
    ["certificates.k8s.io", "certificatesigningrequests", "1.20", "v1"],
    ["extensions", "ingresses", "1.19", "v1beta1"],
    ["networking.k8s.io", "ingresses", "1.20", "v1"],
    ["resource.k8s.io", "resourceclaims", "1.34", "v1beta2"],
    ["resource.k8s.io", "resourceclaims", "1.35", "v1"],
    ["events.k8s.io", "events", "1.32", "v1"],
  ] as const)("%s %s in %s: %s", (group, resource, release, version) => {
    expect(viewOf({ release }).storageVersion({ group, resource })?.version).toBe(version);
  });
});
