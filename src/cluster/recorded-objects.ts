import { listAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { type AnyRelease, type Release, type Since, sinceOf } from "../apimachinery/release.ts";
import { isPresent, type Window } from "../catalog/catalog-file.ts";
// Not a file: `tools/packers/bootstrap-objects.mjs` makes the text during a build or a test run.
import text from "./generated/bootstrap-objects.json?raw";
import { type SeedHistory, seedAt } from "./seed-versions.ts";

/** An object that a server creates when it starts: the path of its resource, `apps/v1/deployments`, and the object. */
export interface RecordedObject {
  readonly path: string;
  readonly object: JsonObject & { readonly metadata: JsonObject & { readonly name: string } };
  /** Whether the object, apart from the order in its metadata, is as Go prints it. */
  readonly isCanonical: boolean;
}

type Entry = readonly [path: string, object: RecordedObject["object"], histories?: readonly SeedHistory[]];

/** The labels and annotations of an object of the default policy that has no others. */
const ofPolicy = {
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
};

/** What a server of the release creates, in the order of creation. */
export function recordedObjects(release: Release): readonly RecordedObject[] {
  // Our own data; recorded-objects.test.ts reads every entry.
  const entries = JSON.parse(text) as readonly Entry[];
  const since = sinceOf<AnyRelease>(release);
  return entries.flatMap(([path, recorded, histories = []]) => {
    const object = seedAt(recorded, histories, release);
    if (object === undefined) return [];
    const own = object === recorded ? object : withoutCreator(object);
    const metadata = path.startsWith("rbac") ? { ...ofPolicy, ...own.metadata } : own.metadata;
    // Servers before 1.20 lack fields that the recorded one has.
    const isCanonical = own === recorded && (path.startsWith("rbac") || since("1.20"));
    return [{ path, object: { ...own, metadata, ...listsOf(own, since) }, isCanonical }];
  });
}

/** A changed object no longer has what its creator recorded. */
function withoutCreator<T extends JsonObject & { readonly metadata: object }>(object: T): T {
  const entries = listAt(object, "metadata", "managedFields").map((entry) =>
    entry["subresource"] === undefined ? { ...entry, fieldsV1: null } : entry,
  );
  return { ...object, metadata: { ...object.metadata, managedFields: entries } };
}

/** The lists with elements that not every release has. Rules are texts. */
function listsOf({ rules, subjects }: JsonObject, since: Since<AnyRelease>): JsonObject {
  return {
    ...(Array.isArray(rules) && { rules: presentItems(rules, since).map(ruleOf) }),
    ...(Array.isArray(subjects) && { subjects: presentItems(subjects, since) }),
  };
}

/** An element with a window is `{ since, until, item }`. */
function presentItems(items: readonly JsonValue[], since: Since<AnyRelease>): JsonValue[] {
  return items.flatMap((item) => {
    if (!isJsonObject(item) || item["item"] === undefined) return [item];
    return isPresent(item as Window, since) ? [item["item"]] : [];
  });
}

const ruleLists = ["verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs"];

/** The lists of a rule are separated by `|`, and their values by spaces. The empty text is the core group of a rule for resources. */
function ruleOf(text: JsonValue): JsonObject {
  const texts = String(text).split("|");
  const isGiven = (list: string, index: number) => list !== "" || (index === 1 && texts[2] !== "");
  return Object.fromEntries(
    texts.flatMap((list, index) => (isGiven(list, index) ? [[ruleLists[index], list.split(" ")]] : [])),
  );
}
