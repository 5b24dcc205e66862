import {
  badRequest,
  conflict,
  notFound,
  plainError,
  type StatusError,
} from "../../../apimachinery/errors/errors.ts";
import {
  aggregateMessage,
  type FieldCause,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { sizeAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { without } from "../../../apimachinery/object-edits.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type ObjectKey, storageKey } from "../../../registry/contract/object-key.ts";
import type { RegistryOptions } from "../../../registry/contract/registry-options.ts";
import type { ResourceAccess } from "../../../registry/contract/resource-access.ts";
import type { Answer, CreateOptions, ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import {
  resourceVersionPreconditionFailed,
  uidPreconditionFailed,
} from "../../../registry/contract/storage-errors.ts";
import type { StoredObject, StoredResource } from "../../../registry/contract/stored-resource.ts";
import { createdStatus } from "../../../registry/contract/success-status.ts";
import { checkUpdatable } from "../../../registry/generic/corrupt-object.ts";
import { sealForStorage } from "../../../registry/generic/seal.ts";
import { withPodCondition } from "./pod-conditions.ts";

/** POST to `bindings`, where only the body names the pod. */
export function bindingRest(
  definition: ResourceDefinition,
  access: ResourceAccess,
  options: RegistryOptions,
): Rest | undefined {
  const pods = access.stored({ group: "", resource: "pods" });
  return pods && podBindingRest(pods, definition, access, options);
}

/** POST to `pods/{name}/binding`, which assigns a pod to a node. */
export function podBindingRest(
  pods: StoredResource,
  definition: ResourceDefinition,
  _access: ResourceAccess,
  { gates }: RegistryOptions,
): Rest {
  return {
    definition,
    preservesSystemFields: true,
    create: (key, binding, options) => bind(pods, key, binding, options, gates),
  };
}

async function bind(
  pods: StoredResource,
  key: ObjectKey,
  binding: MutableKubeObject,
  options: CreateOptions,
  gates: FeatureGates,
): Promise<Answer> {
  if ((binding.metadata.name ?? "") !== key.name) {
    throw badRequest("name in URL does not match name in Binding object");
  }
  const errors: FieldCause[] = [];
  addTargetErrors(errors, binding);
  // Upstream does not turn these errors into a Status, so the answer is an internal error.
  if (errors.length > 0) throw plainError(500, aggregateMessage(errors));
  await options.validateAdmission(binding);
  const path = storageKey(pods.space, key);
  const change = (current: StoredObject | undefined) => {
    checkUpdatable(pods, current);
    if (current === undefined) throw notFound(pods.definition.groupResource, key.name);
    checkPreconditions(pods, path, current, binding);
    const bound = sealForStorage(pods, boundPod(current.value, binding, options.now, gates), current.value);
    return options.dryRun ? ({ type: "unchanged" } as const) : ({ type: "put", value: bound } as const);
  };
  await pods.store.guaranteedUpdate(path, change);
  return { status: createdStatus };
}

function addTargetErrors(errors: FieldCause[], binding: KubeObject): void {
  const kind = textAt(binding, "target", "kind");
  if (kind !== "" && kind !== "Node") {
    errors.push(fieldNotSupported("target.kind", kind, ["Node", "<empty>"]));
  }
  if (!textAt(binding, "target", "name")) errors.push(fieldRequired("target.name"));
}

/** The uid and the resourceVersion of a binding are preconditions on the pod. */
function checkPreconditions(
  { definition }: StoredResource,
  path: string,
  { value }: StoredObject,
  { metadata: sent }: KubeObject,
): void {
  const { name = "", uid = "", resourceVersion = "" } = value.metadata;
  if (sent.uid && sent.uid !== uid) {
    throw uidPreconditionFailed(definition.groupResource, name, path, sent.uid, uid);
  }
  if (!sent.resourceVersion || sent.resourceVersion === resourceVersion) return;
  const gr = definition.groupResource;
  throw resourceVersionPreconditionFailed(gr, name, path, sent.resourceVersion, resourceVersion);
}

/** The pod with its node and what the binding says of it. */
function boundPod(
  pod: KubeObject,
  binding: KubeObject,
  now: number,
  { isEnabled }: FeatureGates,
): MutableKubeObject {
  const name = pod.metadata.name ?? "";
  const node = textAt(pod, "spec", "nodeName");
  if (pod.metadata.deletionTimestamp) {
    throw cannotBind(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (node !== "") throw cannotBind(name, `pod ${name} is already assigned to node ${goQuote(node)}`);
  if (sizeAt(pod, "spec", "schedulingGates") > 0) {
    throw cannotBind(name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  const copied = isEnabled("PodTopologyLabelsAdmission") ? binding.metadata.labels : undefined;
  const labels = copied === undefined ? undefined : { ...pod.metadata.labels, ...copied };
  const annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
  const condition = { type: "PodScheduled", status: "True" } as const;
  const nomination = isEnabled("ClearingNominatedNodeNameAfterBinding") ? ["nominatedNodeName"] : [];
  const status = without(structAt(pod, "status"), nomination);
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations, ...(labels && { labels }) },
    spec: { ...structAt(pod, "spec"), nodeName: textAt(binding, "target", "name") },
    status: withPodCondition(status, condition, now),
  };
}

function cannotBind(name: string, text: string): StatusError {
  return conflict({ group: "", resource: "pods/binding" }, name, text);
}
