import { describe, expect, test } from "vitest";
import { formatGroupVersion } from "../../src/apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/apimachinery/json.ts";
import type { Release } from "../../src/apimachinery/release.ts";
import type { ApiResource } from "../../src/catalog/api-resource.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { everyApi } from "../../src/catalog/every-api.ts";
import { VersionConverter } from "../../src/cluster/version-converter.ts";
import { VirtualClock } from "../../src/index.ts";
import { minimalObject } from "./minimal-objects.ts";
import { quietCluster, testClient } from "./test-client.ts";

const runtimeConfig = Object.fromEntries(everyApi);
/** Together, they have every pair of versions that a release has. */
const sample: readonly Release[] = ["1.16", "1.19", "1.21", "1.23", "1.28", "1.29", "1.33", "1.35"];

describe.each(sample)("in %s, a converted manifest", (release) => {
  test("creates the object that the server shows for the first one", async () => {
    // Conditions have the time of the creation.
    const clock = new VirtualClock("2026-01-01T00:00:00Z");
    // Nothing removes finalizers.
    const disableAdmissionPlugins = ["StorageObjectInUseProtection"];
    await using cluster = quietCluster({ release, runtimeConfig, clock, disableAdmissionPlugins });
    const send = testClient(cluster);
    const converter = new VersionConverter(release);
    const problems: string[] = [];
    for (const from of creatable(release)) {
      for (const to of converter.versionsOf(formatGroupVersion(from), from.kind)) {
        const fields =
          to.version === from.version && to.group === from.group ? undefined : minimalObject(from, "a");
        if (fields === undefined || isRefused(from.kind, to)) continue;
        const object = { apiVersion: formatGroupVersion(from), kind: from.kind, ...fields };
        const { after } = await converter.convert(object, from, to);
        const name = String((fields["metadata"] as JsonObject)["name"]);
        const first = await send("POST", pathOf(from), object);
        const shown = await send("GET", `${pathOf(to)}/${name}`);
        await send("DELETE", `${pathOf(from)}/${name}`);
        const second = await send("POST", pathOf(to), after);
        await send("DELETE", `${pathOf(to)}/${name}`);
        const [wanted, got] = [content(shown.object), content(second.object)];
        if (first.code === 201 && JSON.stringify(wanted) === JSON.stringify(got)) continue;
        const what = `${from.kind} from ${formatGroupVersion(from)} to ${formatGroupVersion(to)}`;
        problems.push(`${what}: ${JSON.stringify(wanted)}\n${JSON.stringify(got)}`);
      }
    }
    expect(problems).toEqual([]);
  });
});

function creatable(release: Release): readonly ApiResource[] {
  const catalog = catalogOf({ release, runtimeConfig: new Map(Object.entries(runtimeConfig)) });
  return catalog
    .groupVersions()
    .flatMap((gv) => catalog.resources(gv))
    .filter(({ verbs }) => verbs.includes("create") && verbs.includes("get"));
}

/** The server refuses new events of this version that have the old fields. */
function isRefused(kind: string, to: ApiResource): boolean {
  return kind === "Event" && to.group === "events.k8s.io" && to.version === "v1";
}

/**
 * An object without what each creation sets, and without the labels that old versions take from the template: no manifest can say
 * that there are none.
 */
function content(object: JsonObject): JsonValue {
  const perCreation = ["uid", "resourceVersion", "creationTimestamp", "managedFields", "selfLink", "labels"];
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const kept = Object.entries(metadata).filter(([name]) => !perCreation.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

function pathOf({ namespaced, resource, ...gv }: ApiResource): string {
  const root = gv.group === "" ? `/api/${gv.version}` : `/apis/${formatGroupVersion(gv)}`;
  return `${root}${namespaced ? "/namespaces/default" : ""}/${resource}`;
}
