import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatGroupVersion } from "../../../src/apimachinery/group-version.ts";
import { type Release, releases, sinceOf } from "../../../src/apimachinery/release.ts";
import type { ApiResource } from "../../../src/catalog/api-resource.ts";
import { catalogOf } from "../../../src/catalog/catalog.ts";
import { everyApi } from "../../../src/catalog/every-api.ts";
import { quietCluster, testClient } from "../../registry/test-client.ts";

/** The warnings that upstream's types state, with the releases that have them: `tools/published-deprecations.mjs` prints them. */
const published = readFileSync(new URL("deprecations.txt", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => /^(\S+) (\S+) (\S+ \S+)( .*)$/.exec(line) ?? [])
  // The file has releases of the catalog only.
  .map(([, first, last, kind = "", rest = ""]) => ({
    first: first as Release,
    last: last as Release,
    kind,
    text: kind + rest,
  }));

const runtimeConfig = Object.fromEntries(everyApi);
/** No earlier release has warnings. */
const warning = releases.filter((release) => sinceOf(release)("1.19"));

function publishedWarning(release: Release, { kind, ...gv }: ApiResource): readonly string[] {
  const name = `${formatGroupVersion(gv)} ${kind}`;
  return published
    .filter(({ first, last, kind }) => kind === name && sinceOf(release)(first) && sinceOf(last)(release))
    .map(({ text }) => text);
}

function resourcesOf(release: Release): readonly ApiResource[] {
  const catalog = catalogOf({ release, runtimeConfig: new Map(Object.entries(runtimeConfig)) });
  return catalog.groupVersions().flatMap((gv) => catalog.resources(gv));
}

function pathOf({ group, version, resource, namespaced }: ApiResource): string {
  const root = group === "" ? "/api" : `/apis/${group}`;
  return `${root}/${version}/${namespaced ? "namespaces/default/" : ""}${resource}`;
}

test.each(warning)("the warnings of %s are those that upstream publishes for every kind", async (release) => {
  await using cluster = quietCluster({ release, runtimeConfig });
  const send = testClient(cluster);
  const differences: unknown[] = [];
  for (const resource of resourcesOf(release)) {
    const canList = resource.verbs.includes("list");
    const { warnings } = await send(canList ? "GET" : "POST", pathOf(resource), canList ? undefined : {});
    const expected = publishedWarning(release, resource);
    if (warnings.join("|") !== expected.join("|"))
      differences.push({ resource: pathOf(resource), warnings, expected });
  }
  expect(differences).toEqual([]);
});

test.each(releases.filter((release) => !warning.includes(release)))("%s does not warn", async (release) => {
  await using cluster = quietCluster({ release, runtimeConfig });
  const send = testClient(cluster);
  const path = "/apis/extensions/v1beta1/ingresses";
  expect((await send("GET", path)).warnings).toEqual([]);
});
