import { describe, expect, test } from "vitest";
import { listAt } from "../../src/apimachinery/fields.ts";
import type { GroupVersionKind } from "../../src/apimachinery/group-version.ts";
import { parseGroupVersion } from "../../src/apimachinery/group-version.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { type Release, releases } from "../../src/apimachinery/release.ts";
import { type Catalog, catalogOf } from "../../src/catalog/catalog.ts";
import { featureGates } from "../../src/catalog/feature-gates.ts";
import { builtInSeeds } from "../../src/cluster/bootstrap.ts";
import { isPolicy } from "../../src/cluster/policy-ownership.ts";
import { createdEntries } from "../../src/cluster/seed-ownership.ts";
import { builtInKindSchema } from "../../src/schema/built-in-schema.ts";
import type { KindSchema } from "../../src/schema/kind-schema.ts";

interface KnownSeed {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
  readonly schema: KindSchema;
}

/** The seeds of a new cluster, without what controllers create in it. */
function seedsIn(release: Release): readonly KnownSeed[] {
  const catalog: Catalog = catalogOf({ release });
  return builtInSeeds({ catalog, featureGates: featureGates(release), controllers: [] }).map(({ object }) => {
    const gv = parseGroupVersion(object.apiVersion) ?? expect.unreachable("seeds have a version");
    const gvk = { ...gv, kind: object.kind };
    const schema = builtInKindSchema(catalog, gvk) ?? expect.unreachable(`${object.kind} has a schema`);
    return { object, gvk, schema };
  });
}

/** The fields that the rules of apply find in a new object. */
function fieldsByRules({ object, gvk, schema }: KnownSeed): unknown {
  const { managedFields: _, ...metadata } = object.metadata;
  const sent = structuredClone({ ...object, metadata });
  return createdEntries(sent, "kube-apiserver", schema, gvk)[0]?.["fieldsV1"];
}

describe.each(releases)("in %s", (release) => {
  const seeds = seedsIn(release);

  test("all seeds are in canonical form", () => {
    expect(seeds.length).toBeGreaterThan(100);
    for (const { object, schema } of seeds) {
      expect(JSON.stringify(object)).toBe(JSON.stringify(schema.canonicalize(structuredClone(object))));
    }
  });

  test("the creator of a role or binding owns the fields that the rules of apply find", () => {
    const policy = seeds.filter(({ object }) => isPolicy(object));
    expect(policy.length).toBeGreaterThan(80);
    for (const seed of policy) {
      const [entry] = listAt(seed.object, "metadata", "managedFields");
      if (entry === undefined) expect(["1.16", "1.17"]).toContain(release);
      else expect(JSON.stringify(entry["fieldsV1"])).toBe(JSON.stringify(fieldsByRules(seed)));
    }
  });
});
