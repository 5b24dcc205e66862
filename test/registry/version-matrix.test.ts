import { describe, expect, test } from "vitest";
import { formatGroupVersion, type GroupVersion } from "../../src/apimachinery/group-version.ts";
import { type Release, releases, sinceOf } from "../../src/apimachinery/release.ts";
import type { ApiResource } from "../../src/catalog/api-resource.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { everyApi } from "../../src/catalog/every-api.ts";
import { minimalObject, withoutMinimalObject } from "./minimal-objects.ts";
import { quietCluster, testClient } from "./test-client.ts";

/** The versions of a resource that share objects. */
type Versions = readonly ApiResource[];

const runtimeConfig = Object.fromEntries(everyApi);

/** The groups whose objects `extensions` serves, other than `apps`. */
const homeOfExtension: { readonly [resource: string]: string } = {
  ingresses: "networking.k8s.io",
  networkpolicies: "networking.k8s.io",
  podsecuritypolicies: "policy",
};

describe.each(releases)("in %s, an object that is created through one version", (release) => {
  test("is readable through every other one", async () => {
    await using cluster = quietCluster({
      release,
      runtimeConfig,
      controllers: ["serviceaccount-controller", "serviceaccount-token-controller"],
    });
    const send = testClient(cluster);
    const problems: string[] = [];
    for (const versions of versionsOfKinds(release)) {
      for (const [index, written] of versions.entries()) {
        const object = minimalObject(written, `${index}`);
        if (object === undefined) {
          if (!withoutMinimalObject.includes(written.resource))
            problems.push(`no object of ${written.resource}`);
          continue;
        }
        const created = await send("POST", pathOf(written), object);
        if (created.code !== 201) {
          problems.push(`POST ${pathOf(written)}: ${created.code} ${created.findings.join("; ")}`);
          continue;
        }
        const { name, uid, resourceVersion } = created.object.metadata;
        for (const read of versions) {
          const path = `${pathOf(read)}/${name}`;
          const { code, object: found } = await send("GET", path);
          if (
            code !== 200 ||
            found.metadata.uid !== uid ||
            found.metadata.resourceVersion !== resourceVersion
          ) {
            problems.push(
              `GET ${path} after ${formatGroupVersion(written)}: ${code} ${JSON.stringify(found)}`,
            );
          }
          if (found.apiVersion !== formatGroupVersion(read))
            problems.push(`GET ${path}: ${found.apiVersion}`);
          const back = read === written && JSON.stringify(found) !== JSON.stringify(created.object);
          if (back) problems.push(`GET ${path} differs from the answer to POST`);
        }
        await send("DELETE", `${pathOf(written)}/${name}`);
      }
    }
    expect(problems).toEqual([]);
  });
});

function versionsOfKinds(release: Release): readonly Versions[] {
  const catalog = catalogOf({ release, runtimeConfig: everyApi });
  const kinds = new Map<string, ApiResource[]>();
  for (const gv of catalog.groupVersions()) {
    for (const resource of catalog.resources(gv)) {
      if (!resource.verbs.includes("create") || !resource.verbs.includes("get")) continue;
      const key = `${homeOf(resource)}/${resource.resource}`;
      kinds.set(key, [...(kinds.get(key) ?? []), resource]);
    }
  }
  return [...kinds.values()];
}

function homeOf({ group, resource }: ApiResource): string {
  if (group === "events.k8s.io") return "";
  return group === "extensions" ? (homeOfExtension[resource] ?? "apps") : group;
}

function pathOf({ namespaced, resource, ...gv }: ApiResource): string {
  return `${rootOf(gv)}${namespaced ? "/namespaces/default" : ""}/${resource}`;
}

function rootOf(gv: GroupVersion): string {
  return gv.group === "" ? `/api/${gv.version}` : `/apis/${formatGroupVersion(gv)}`;
}

test.each(releases.filter((release) => !sinceOf(release)("1.22")))(
  "in %s, the paths of an Ingress of v1beta1 need no type",
  async (release) => {
    await using cluster = quietCluster({ release });
    const paths = [{ path: "/a", backend: { serviceName: "s", servicePort: "http" } }];
    const ingress = {
      metadata: { name: "i" },
      spec: { rules: [{ host: "a.example.com", http: { paths } }] },
    };
    for (const group of ["networking.k8s.io", "extensions"]) {
      const path = `/apis/${group}/v1beta1/namespaces/default/ingresses`;
      const { code, findings, object } = await testClient(cluster)("POST", path, {
        ...ingress,
        metadata: { name: group },
      });
      expect([code, ...findings]).toEqual([201]);
      const [{ pathType }] = object.spec.rules[0].http.paths;
      expect(pathType).toBe(sinceOf(release)("1.18") ? "ImplementationSpecific" : undefined);
    }
  },
);
