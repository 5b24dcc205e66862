import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Controller, ObjectChange } from "../../../controllers/contract/controller.ts";
import { ownClaimProblem } from "../../placement/volume-binding.ts";
import { claims, pods } from "../contract/core-resources.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { controllerOf, controllerReference } from "../ownership/controller-reference.ts";

/** Creates the claims of the ephemeral volumes of pods. Upstream: pkg/controller/volume/ephemeral. */
export function ephemeralVolumeController(environment: WorkloadEnvironment): Controller {
  const { lister, client } = environment;
  const recorder = environment.recorderOf("ephemeral_volume");

  async function keepClaim(pod: KubeObject, volume: JsonObject): Promise<void> {
    const { name: podName, namespace = "" } = pod.metadata;
    const name = `${podName}-${textAt(volume, "name")}`;
    const existing = lister.get(claims, namespace, name);
    if (existing !== undefined) {
      const problem = ownClaimProblem(pod, existing);
      if (problem === undefined) return;
      throw new Error(problem);
    }
    const { metadata, spec = {} } = structAt(volume, "ephemeral", "volumeClaimTemplate");
    const { annotations, labels } = structAt({ metadata: metadata ?? {} }, "metadata");
    const ownerReferences = [controllerReference({ ...pod, apiVersion: "v1", kind: "Pod" })];
    const manifest = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: {
        name,
        ownerReferences,
        ...(annotations !== undefined && { annotations }),
        ...(labels !== undefined && { labels }),
      },
      spec,
    };
    try {
      await client.create(manifest, { namespace });
    } catch (error) {
      throw new Error(`create PVC ${name}: ${messageOf(error)}`);
    }
  }

  return {
    name: "ephemeral-volume-controller",
    kinds: ["Pod", "PersistentVolumeClaim"],
    observe: (change) => podsOf(change),
    reconcile: async (key) => {
      const { namespace, name } = namesOf(key);
      const pod = lister.get(pods, namespace, name);
      if (pod === undefined || isTerminating(pod)) return;
      for (const volume of ephemeralVolumes(pod)) {
        try {
          await keepClaim(pod, volume);
        } catch (error) {
          const message = `ephemeral volume ${volume["name"]}: ${messageOf(error)}`;
          await recorder.record(pod, { type: "Warning", reason: "FailedBinding", message });
          throw error;
        }
      }
    },
  };
}

/** A pod with such volumes, or the pod of a claim that has been deleted. */
function podsOf({ type, object }: ObjectChange): readonly string[] {
  if (isOfKind(object, pods))
    return type === "put" && ephemeralVolumes(object).length > 0 ? [keyOf(object)] : [];
  if (type === "put" || !isOfKind(object, claims)) return [];
  const owner = controllerOf(object);
  return owner?.kind === "Pod" ? [`${object.metadata.namespace}/${owner.name}`] : [];
}

function ephemeralVolumes(pod: KubeObject): readonly JsonObject[] {
  return listAt(pod, "spec", "volumes").filter((volume) => objectAt(volume, "ephemeral") !== undefined);
}
