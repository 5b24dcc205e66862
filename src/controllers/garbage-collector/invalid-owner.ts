import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, OwnerReference } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";

const component = "garbage-collector-controller";

/** The Event for an owner that is not in the namespace of the reference. `now` is in milliseconds. */
export function invalidOwnerEvent(dependent: KubeObject, owner: OwnerReference, now: number): JsonObject {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = dependent.metadata;
  const reference = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  const time = formatTime(now);
  return {
    kind: "Event",
    apiVersion: "v1",
    metadata: { name: `${name}.${nanoseconds(now)}`, namespace: namespace || "default" },
    involvedObject: {
      kind: dependent.kind,
      ...(namespace !== "" && { namespace }),
      name,
      uid,
      apiVersion: dependent.apiVersion,
      ...(resourceVersion !== "" && { resourceVersion }),
    },
    reason: "OwnerRefInvalidNamespace",
    message: `ownerRef ${reference} does not exist in namespace "${namespace}"`,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: "Warning",
    reportingComponent: component,
    reportingInstance: "",
  };
}

/** The hexadecimal nanoseconds at the end of an Event's name. */
function nanoseconds(milliseconds: number): string {
  return (BigInt(Math.floor(milliseconds)) * 1_000_000n).toString(16);
}
