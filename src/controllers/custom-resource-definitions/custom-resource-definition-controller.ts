import type { Clock } from "../../apimachinery/clock.ts";
import { isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type Since, sinceOf } from "../../apimachinery/release.ts";
import {
  conditionOf,
  type DefinitionCondition,
  isConditionTrue,
  withCondition,
} from "../../kinds/apiextensions/custom-resource-definition/conditions.ts";
import { cleanupFinalizer } from "../../kinds/apiextensions/custom-resource-definition/custom-resource-definition-strategy.ts";
import type { ServedApi } from "../../served/served-api.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";
import { takenNames } from "./accepted-names.ts";
import { nextStatus } from "./definition-status.ts";

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
    queuesOf: (name) => queuesOf(lister.get(definitions, "", name), sinceOf(served.current.release)),
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
      return cleanUp(definition, { lister, client, served, clock });
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

function unestablished(all: readonly KubeObject[]): readonly string[] {
  return all.filter((one) => !isConditionTrue(one, "Established")).map(({ metadata }) => metadata.name ?? "");
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
