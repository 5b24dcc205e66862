import { listAt, numberAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { GroupVersion } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { builtinPriority, customResourcePriority } from "../../../catalog/group-priority.ts";
import { rememberedByPart } from "../../../sharing/remembered-by-part.ts";

/** Marks the APIServices that the server registers itself: `onstart` for built-in versions, `true` for custom resources. */
export const automanagedLabel = "kube-aggregator.kubernetes.io/automanaged";

/** The group and version of an APIService. */
export function groupVersionOf(apiService: KubeObject): GroupVersion {
  return { group: textAt(apiService, "spec", "group"), version: textAt(apiService, "spec", "version") };
}

/** Whether an APIService is as the server registers it: local and with the usual priorities. */
export function isAsRegistered(apiService: KubeObject): boolean {
  const label = textAt(apiService, "metadata", "labels", automanagedLabel);
  if (label === "") return false;
  const spec = structAt(apiService, "spec");
  return isRegisteredSpec(spec) || (label === "onstart" && isPreferredSpec(spec));
}

/** The preferred version of a declared API comes before the others. */
function isPreferredSpec(spec: JsonObject): boolean {
  const usual = customResourcePriority.version;
  const isPreferred = numberAt(spec, "versionPriority") === usual + 1;
  return isPreferred && isRegisteredSpec({ ...spec, versionPriority: usual });
}

/** New clusters share the specs of their APIServices. */
const isRegisteredSpec = rememberedByPart((spec: JsonObject): boolean => {
  const gv = { group: textAt(spec, "group"), version: textAt(spec, "version") };
  const priority = builtinPriority(gv) ?? customResourcePriority;
  return (
    objectAt(spec, "service") === undefined &&
    numberAt(spec, "groupPriorityMinimum") === priority.group &&
    numberAt(spec, "versionPriority") === priority.version
  );
});

/** Whether the condition Available of an APIService is true. */
export function isAvailable(apiService: KubeObject): boolean {
  return listAt(apiService, "status", "conditions").some(
    ({ type, status }) => type === "Available" && status === "True",
  );
}
