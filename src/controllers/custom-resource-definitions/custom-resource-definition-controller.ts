import type { Clock } from "../../apimachinery/clock.ts";
import { isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  approvalOf,
  isProtectedGroup,
} from "../../kinds/apiextensions/custom-resource-definition/api-approval.ts";
import {
  conditionOf,
  type DefinitionCondition,
  isConditionTrue,
  withCondition,
} from "../../kinds/apiextensions/custom-resource-definition/conditions.ts";
import { cleanupFinalizer } from "../../kinds/apiextensions/custom-resource-definition/custom-resource-definition-strategy.ts";
import type { ServedApi } from "../../served/served-api.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";
import { acceptNames, takenNames } from "./accepted-names.ts";
import { isCertificateBundle } from "./certificate-bundle.ts";

const definitions = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

/** How often the deletion looks whether the finalizers of instances are gone. */
const pollMilliseconds = 5000;

/** When definitions are established. */
export interface EstablishmentOptions {
  readonly clock: Clock;
  /** Whether a test holds back the definitions of a group. */
  readonly isHeld: (group: string) => boolean;
}

/**
 * Accepts the names of CustomResourceDefinitions, establishes them, and deletes their instances with them. Upstream has one
 * controller for each of these tasks (apiextensions-apiserver, pkg/controller); here one key passes through them in order.
 */
export function customResourceDefinitionController(
  lister: Lister,
  client: ControllerClient,
  served: Pick<ServedApi, "current">,
  { clock, isHeld }: EstablishmentOptions,
): Controller {
  /** The definitions that want names of others. */
  const waiting = new Set<string>();
  const inGroup = (group: string) =>
    lister.list(definitions, "").filter((one) => textAt(one, "spec", "group") === group);
  return {
    name: "customresourcedefinition-controller",
    observe: ({ type, object }) => {
      if (object.kind !== "CustomResourceDefinition") return [];
      const { name = "" } = object.metadata;
      const hasConflict = conditionOf(object, "NamesAccepted")?.["status"] === "False";
      if (type === "put" && hasConflict) waiting.add(name);
      else waiting.delete(name);
      // Names that become free may be wanted by others.
      return type === "put" ? [name, ...waiting] : [...waiting];
    },
    observeRelease: () => unestablished(lister.list(definitions, "")),
    reconcile: async (name) => {
      const definition = lister.get(definitions, "", name);
      if (definition === undefined) {
        waiting.delete(name);
        return undefined;
      }
      const group = textAt(definition, "spec", "group");
      const others = () => inGroup(group).filter(({ metadata }) => metadata.name !== name);
      const status = statusOf(definition, others, clock.now(), isHeld(group) ? "held" : "free");
      if (status !== undefined) {
        await write(client, { ...definition, status });
        return undefined;
      }
      if (!definition.metadata.deletionTimestamp) return undefined;
      return cleanUp(definition, { lister, client, served, clock });
    },
  };
}

function unestablished(all: readonly KubeObject[]): readonly string[] {
  return all.filter((one) => !isConditionTrue(one, "Established")).map(({ metadata }) => metadata.name ?? "");
}

/** The next status of a definition; undefined if it has it. */
function statusOf(
  definition: KubeObject,
  others: () => readonly KubeObject[],
  now: number,
  establishment: "held" | "free",
): JsonObject | undefined {
  const before = structAt(definition, "status");
  const accepted = structAt(before, "acceptedNames");
  const taken = takenNames(() => others().map((one) => structAt(one, "status", "acceptedNames")));
  const { names, condition } = acceptNames(structAt(definition, "spec", "names"), accepted, taken);
  let conditions = listAt(before, "conditions");
  const isKnown = isEquivalent(conditionOf(definition, "NamesAccepted"), condition);
  if (!isKnown || !jsonEqual(names, accepted)) {
    conditions = withCondition(conditions, condition, now);
    conditions = withCondition(conditions, establishing(definition, condition), now);
  } else if (isWaiting(definition, condition) && establishment === "free") {
    conditions = withCondition(
      conditions,
      hasValidCertificates(definition) ? established : invalidBundle,
      now,
    );
  }
  conditions = withApproval(conditions, definition, now);
  const status = { ...before, conditions, acceptedNames: names };
  return jsonEqual(status, { ...before, conditions: listAt(before, "conditions"), acceptedNames: accepted })
    ? undefined
    : status;
}

/** Whether the names are accepted, and the definition is not established yet. */
function isWaiting(definition: KubeObject, { status }: DefinitionCondition): boolean {
  return status === "True" && !isConditionTrue(definition, "Established");
}

/** Upstream establishes no definition whose webhook cannot be trusted (pkg/controller/establish). */
function hasValidCertificates(definition: KubeObject): boolean {
  const bundle = textAt(definition, "spec", "conversion", "webhook", "clientConfig", "caBundle");
  return bundle === "" || isCertificateBundle(bundle);
}

const invalidBundle: DefinitionCondition = {
  type: "Established",
  status: "False",
  reason: "InvalidCABundle",
  message: "The conversion webhook CABundle is invalid",
};

const established: DefinitionCondition = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};

/** An established definition stays established, whatever names it requests later. */
function establishing(definition: KubeObject, { status }: DefinitionCondition): DefinitionCondition {
  if (isConditionTrue(definition, "Established")) return established;
  if (status === "True") return { ...established, status: "False", reason: "Installing" };
  return {
    type: "Established",
    status: "False",
    reason: "NotAccepted",
    message: "not all names are accepted",
  };
}

function isEquivalent(
  known: JsonObject | undefined,
  { status, reason, message }: DefinitionCondition,
): boolean {
  return known?.["status"] === status && known["reason"] === reason && known["message"] === message;
}

const approvalReasons = {
  approved: "ApprovedAnnotation",
  bypassed: "UnapprovedAnnotation",
  invalid: "InvalidAnnotation",
  missing: "MissingAnnotation",
} as const;

/** Upstream: pkg/controller/apiapproval/apiapproval_controller.go. */
function withApproval(
  conditions: readonly JsonObject[],
  definition: KubeObject,
  now: number,
): readonly JsonObject[] {
  const type = "KubernetesAPIApprovalPolicyConformant";
  if (!isProtectedGroup(textAt(definition, "spec", "group"))) {
    return conditions.filter((condition) => condition["type"] !== type);
  }
  const { state, reason: message } = approvalOf(definition);
  const status = state === "approved" ? "True" : "False";
  const condition: DefinitionCondition = { type, status, reason: approvalReasons[state], message };
  const known = conditionOf(definition, type);
  return isEquivalent(known, condition) ? conditions : withCondition(conditions, condition, now);
}

interface CleanUp {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly served: Pick<ServedApi, "current">;
  readonly clock: Clock;
}

/** Deletes the instances of a terminating definition, and then lets it go. Upstream: pkg/controller/finalizer/crd_finalizer.go. */
async function cleanUp(definition: KubeObject, parts: CleanUp): Promise<number | undefined> {
  const { clock, client } = parts;
  if (!(definition.metadata.finalizers ?? []).includes(cleanupFinalizer)) return undefined;
  const terminating = (status: "True" | "False", reason: string, message: string): JsonObject => {
    const condition: DefinitionCondition = { type: "Terminating", status, reason, message };
    const conditions = withCondition(listAt(definition, "status", "conditions"), condition, clock.now());
    return { ...definition, status: { ...objectAt(definition, "status"), conditions } };
  };
  if (!isConditionTrue(definition, "Established")) {
    const going = terminating("False", "NeverEstablished", "resource was never established");
    return write(client, withoutFinalizer(going));
  }
  if (textAt(conditionOf(definition, "Terminating") ?? {}, "reason") !== "InstanceDeletionInProgress") {
    return write(
      client,
      terminating("True", "InstanceDeletionInProgress", "CustomResource deletion is in progress"),
    );
  }
  if ((await deleteInstances(definition, parts)) > 0) return pollMilliseconds;
  const gone = terminating("False", "InstanceDeletionCompleted", "removed all instances");
  return write(client, withoutFinalizer(gone));
}

function withoutFinalizer(definition: JsonObject): JsonObject {
  const metadata = structAt(definition, "metadata");
  const finalizers = Array.isArray(metadata["finalizers"]) ? metadata["finalizers"] : [];
  return {
    ...definition,
    metadata: { ...metadata, finalizers: finalizers.filter((one) => one !== cleanupFinalizer) },
  };
}

/** Deletes what is left. Returns how many instances remain, because of their finalizers. */
async function deleteInstances(definition: KubeObject, { lister, client, served }: CleanUp): Promise<number> {
  const gr = {
    group: textAt(definition, "spec", "group"),
    resource: textAt(definition, "spec", "names", "plural"),
  };
  const resource = served.current
    .groupVersions()
    .flatMap((gv) => served.current.resource({ ...gv, ...gr }) ?? [])[0];
  if (resource === undefined) return 0;
  const live = lister.list(gr, "").filter(({ metadata }) => !metadata.deletionTimestamp);
  for (const namespace of new Set(live.map(({ metadata }) => metadata.namespace ?? ""))) {
    const options = { namespace, propagationPolicy: "Background" } as const;
    await client.deleteCollection(formatGroupVersion(resource), resource.kind, options);
  }
  return lister.list(gr, "").length;
}

/** A definition that has changed meanwhile is looked at again. */
async function write(client: ControllerClient, definition: JsonObject): Promise<undefined> {
  try {
    await client.update(definition, { subresource: "status" });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
