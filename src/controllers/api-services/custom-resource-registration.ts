import { isAlreadyExists, isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Since } from "../../apimachinery/release.ts";
import { customResourcePriority } from "../../catalog/group-priority.ts";
import { automanagedLabel } from "../../kinds/apiregistration/api-service/registration.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";

const definitions = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };
const apiServices = { group: "apiregistration.k8s.io", resource: "apiservices" };
const apiVersion = "apiregistration.k8s.io/v1";

/** The queues of upstream's controllers that register versions of definitions. */
const registrationQueues: readonly string[] = ["crd_autoregistration_controller", "autoregister"];

/** The queues of those that follow what is registered. Since 1.31, one of its own looks whether local APIs are available. */
function followingQueues(since: Since): readonly string[] {
  const availability = since("1.31") ? "LocalAvailabilityController" : "AvailableConditionController";
  return ["APIServiceRegistrationController", availability];
}

/**
 * Keeps an APIService for every served group and version of custom resources. Upstream: kubernetes,
 * pkg/controlplane/controller/crdregistration, and kube-aggregator, pkg/controllers/autoregister.
 */
export function customResourceRegistration(
  lister: Lister,
  client: ControllerClient,
  since: Since,
): Controller {
  const registeredQueues = [...registrationQueues, ...followingQueues(since)];
  return {
    name: "autoregister",
    queuesOf: (name) => {
      const isRegistered = lister.get(apiServices, "", name) !== undefined;
      return isRegistered ? registeredQueues : registrationQueues;
    },
    observe: ({ object }) => {
      if (object.kind === "APIService") return isManaged(object) ? [object.metadata.name ?? ""] : [];
      if (object.kind !== "CustomResourceDefinition") return [];
      const group = textAt(object, "spec", "group");
      const named = listAt(object, "spec", "versions").map(({ name }) => `${String(name)}.${group}`);
      // A version that the definition has lost.
      const known = lister
        .list(apiServices, "")
        .filter((apiService) => isManaged(apiService) && textAt(apiService, "spec", "group") === group);
      return new Set([...named, ...known.map(({ metadata }) => metadata.name ?? "")]);
    },
    reconcile: async (name) => {
      try {
        await register(name, lister, client);
      } catch (error) {
        // It has changed, so it will be looked at again.
        if (!isAlreadyExists(error) && !isConflict(error) && !isNotFound(error)) throw error;
      }
    },
  };
}

async function register(name: string, lister: Lister, client: ControllerClient): Promise<void> {
  const spec = wantedSpec(name, lister);
  const found = lister.get(apiServices, "", name);
  if (found === undefined) {
    if (spec === undefined) return;
    const metadata = { name, labels: { [automanagedLabel]: "true" } };
    await client.create({ apiVersion, kind: "APIService", metadata, spec });
    return;
  }
  if (!isManaged(found)) return;
  if (spec === undefined) {
    const { uid = "" } = found.metadata;
    await client.delete(apiVersion, "APIService", name, { preconditions: { uid } });
  } else if (!jsonEqual(structAt(found, "spec"), spec)) await client.update({ ...found, spec });
}

/** The spec for a group and version that a definition serves; undefined if none does. */
function wantedSpec(name: string, lister: Lister): JsonObject | undefined {
  const dot = name.indexOf(".");
  const [version, group] = [name.slice(0, dot), name.slice(dot + 1)];
  const isServed = lister
    .list(definitions, "")
    .some(
      (definition) =>
        textAt(definition, "spec", "group") === group &&
        listAt(definition, "spec", "versions").some(
          (one) => one["name"] === version && one["served"] === true,
        ),
    );
  if (!isServed) return undefined;
  const { group: groupPriorityMinimum, version: versionPriority } = customResourcePriority;
  return { group, version, groupPriorityMinimum, versionPriority };
}

/** Whether the APIService is one of this controller. */
function isManaged(apiService: KubeObject): boolean {
  return textAt(apiService, "metadata", "labels", automanagedLabel) === "true";
}
