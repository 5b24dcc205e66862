import type { Clock } from "../../apimachinery/clock.ts";
import { isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type Since, sinceOf } from "../../apimachinery/release.ts";
import {
  conditionOf,
  type DefinitionCondition,
  isConditionTrue,
  withCondition,
} from "../../kinds/apiextensions/custom-resource-definition/conditions.ts";
import { cleanupFinalizer } from "../../kinds/apiextensions/custom-resource-definition/custom-resource-definition-strategy.ts";
import type { Kinds } from "../../registry/kinds.ts";
import type { ResourceRegistry } from "../../registry/resource-registry.ts";
import type { ServedApi } from "../../served/served-api.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";
import { takenNames } from "./accepted-names.ts";
import { nextStatus } from "./definition-status.ts";
import { deleteInstances, InstanceDeletionError, type InstanceStorage } from "./instance-deletion.ts";

const definitions = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

/** How often the deletion looks whether the finalizers of instances are gone. */
const pollMilliseconds = 5000;

/** When definitions are established. */
export interface EstablishmentOptions {
  readonly clock: Clock;
  readonly kinds: Kinds;
  /** Whether a test holds back the definitions of a group. */
  readonly isHeld: (group: string) => boolean;
}

/**
 * Accepts the names of CustomResourceDefinitions, establishes them, and deletes their instances with them. Upstream has one
 * controller for each of these tasks (apiextensions-apiserver, pkg/controller); here one key passes through them in order.
 */
export function customResourceDefinitionController(
  registry: ResourceRegistry,
  client: ControllerClient,
  served: Pick<ServedApi, "current" | "loading">,
  { clock, isHeld, kinds }: EstablishmentOptions,
): Controller {
  /** The definitions that want names of others. */
  const waiting = new Set<string>();
  const inGroup = (group: string) =>
    registry.list(definitions, "").filter((one) => textAt(one, "spec", "group") === group);
  return {
    name: "customresourcedefinition-controller",
    queuesOf: (name) => queuesOf(registry.get(definitions, "", name), sinceOf(served.current.release)),
    observe: ({ type, object }) => {
      if (object.kind !== "CustomResourceDefinition") return [];
      const { name = "" } = object.metadata;
      const hasConflict = conditionOf(object, "NamesAccepted")?.["status"] === "False";
      if (type === "put" && hasConflict) waiting.add(name);
      else waiting.delete(name);
      // Names that become free may be wanted by others.
      return type === "put" ? [name, ...waiting] : [...waiting];
    },
    observeApi: () => beingDeleted(registry.list(definitions, "")),
    observeRelease: () => unestablished(registry.list(definitions, "")),
    reconcile: async (name) => {
      const definition = registry.get(definitions, "", name);
      if (definition === undefined) {
        waiting.delete(name);
        return undefined;
      }
      const group = textAt(definition, "spec", "group");
      const others = () => inGroup(group).filter(({ metadata }) => metadata.name !== name);
      const status = nextStatus(definition, {
        taken: takenNames(() => others().map((one) => structAt(one, "status", "acceptedNames"))),
        now: clock.now(),
        establishment: isHeld(group) ? "held" : "free",
        since: sinceOf(served.current.release),
      });
      if (status !== undefined) {
        await write(client, { ...definition, status });
        return undefined;
      }
      if (!definition.metadata.deletionTimestamp) return undefined;
      return cleanUp(definition, { registry, client, served, kinds, clock });
    },
  };
}

/** The queues of upstream's controllers that a definition enters, as it is now. */
function queuesOf(definition: KubeObject | undefined, since: Since): readonly string[] {
  const queues = ["crd_openapi_controller", "DiscoveryController"];
  if (since("1.24")) queues.push("crd_openapi_v3_controller");
  if (definition === undefined) return queues;
  queues.push(
    "crd_naming_condition_controller",
    "kubernetes_api_approval_conformant_condition_controller",
    "non_structural_schema_condition_controller",
  );
  const { deletionTimestamp, finalizers = [] } = definition.metadata;
  if (deletionTimestamp && finalizers.includes(cleanupFinalizer)) queues.push("crd_finalizer");
  if (isConditionTrue(definition, "NamesAccepted") && !isConditionTrue(definition, "Established")) {
    queues.push("crdEstablishing");
  }
  return queues;
}

function beingDeleted(all: readonly KubeObject[]): readonly string[] {
  return all.filter(({ metadata }) => metadata.deletionTimestamp).map(({ metadata }) => metadata.name ?? "");
}

function unestablished(all: readonly KubeObject[]): readonly string[] {
  return all.filter((one) => !isConditionTrue(one, "Established")).map(({ metadata }) => metadata.name ?? "");
}

interface CleanUp extends InstanceStorage {
  readonly client: ControllerClient;
}

/** Deletes the instances of a terminating definition, and then lets it go. Upstream: pkg/controller/finalizer/crd_finalizer.go. */
async function cleanUp(definition: KubeObject, parts: CleanUp): Promise<number | undefined> {
  const { clock, client, served } = parts;
  if (!(definition.metadata.finalizers ?? []).includes(cleanupFinalizer)) return undefined;
  const terminating = (status: "True" | "False", reason: string, message: string): JsonObject => {
    const condition: DefinitionCondition = { type: "Terminating", status, reason, message };
    const conditions = withCondition(listAt(definition, "status", "conditions"), condition, clock.now());
    return { ...definition, status: { ...objectAt(definition, "status"), conditions } };
  };
  const inProgress = () =>
    terminating("True", "InstanceDeletionInProgress", "CustomResource deletion is in progress");
  if (!isConditionTrue(definition, "Established")) {
    const going = terminating("False", "NeverEstablished", "resource was never established");
    return write(client, withoutFinalizer(going));
  }
  const { reason, message } = conditionOf(definition, "Terminating") ?? {};
  const hasFailed = reason === "InstanceDeletionFailed";
  if (reason !== "InstanceDeletionInProgress" && !hasFailed) return write(client, inProgress());
  // Its kind is not known before its code is loaded; then the API changes.
  if (served.loading !== undefined) return undefined;
  try {
    if ((await deleteInstances(definition, parts)) > 0) {
      if (hasFailed) await write(client, inProgress());
      return pollMilliseconds;
    }
  } catch (error) {
    const isKnown = !(error instanceof InstanceDeletionError) || (hasFailed && message === error.message);
    if (!isKnown) await write(client, terminating("True", "InstanceDeletionFailed", error.message));
    throw error;
  }
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

/** A definition that has changed meanwhile is looked at again. */
async function write(client: ControllerClient, definition: JsonObject): Promise<undefined> {
  try {
    await client.update(definition, { subresource: "status" });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
