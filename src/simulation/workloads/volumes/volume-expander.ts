import { structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import { capacityOf, requestOf } from "../../placement/claim-matching.ts";
import { claims, volumes } from "../contract/core-resources.ts";
import { isOfKind, keyOf, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { provisionedBy } from "./provisioner.ts";

/**
 * Lets volumes grow with the requests of their claims. kube-controller-manager waits for the resizer of the driver (pkg/controller/volume/expand), which
 * is played for volumes that were provisioned here (kubernetes-csi/external-resizer); their file systems grow with them.
 */
export function volumeExpander(environment: WorkloadEnvironment): Controller {
  const { lister, client, clock, gates } = environment;
  const recorder = environment.recorderOf("volume_expand");

  function setStatus({ metadata }: KubeObject, status: JsonObject): Promise<KubeObject> {
    const { name = "", namespace = "" } = metadata;
    return client.patch(
      "v1",
      "PersistentVolumeClaim",
      name,
      { status },
      { namespace, subresource: "status" },
    );
  }

  async function expand(claim: KubeObject, volume: KubeObject): Promise<void> {
    const { name = "", annotations = {} } = volume.metadata;
    const resizer = environment.recorderOf(`external-resizer ${annotations[provisionedBy]}`);
    const storage = textAt(claim, "spec", "resources", "requests", "storage");
    const say = (reason: string, message: string) =>
      resizer.record(claim, { type: "Normal", reason, message });
    const lastTransitionTime = formatTime(clock.now());
    const resizing = { type: "Resizing", status: "True", lastProbeTime: null, lastTransitionTime };
    const marked = await setStatus(claim, { conditions: [resizing] });
    await say("Resizing", `External resizer is resizing volume ${name}`);
    await client.patch("v1", "PersistentVolume", name, { spec: { capacity: { storage } } });
    await setStatus(marked, { capacity: { storage }, conditions: null });
    await say("VolumeResizeSuccessful", "Resize volume succeeded");
  }

  return {
    name: "persistentvolume-expander-controller",
    kinds: ["PersistentVolumeClaim"],
    observe: ({ type, object }) =>
      type === "put" && isOfKind(object, claims) && hasGrown(object) ? [keyOf(object)] : [],
    reconcile: async (key) => {
      const { namespace, name } = namesOf(key);
      const claim = lister.get(claims, namespace, name);
      if (claim === undefined || !hasGrown(claim)) return;
      const volume = lister.get(volumes, "", textAt(claim, "spec", "volumeName"));
      if (volume === undefined || textAt(volume, "spec", "claimRef", "uid") !== claim.metadata.uid) return;
      await recorder.record(claim, {
        ...(gates.since("1.27")
          ? { type: "Normal", message: "waiting for an external controller to expand this PVC" }
          : {
              type: "Warning",
              message:
                "Ignoring the PVC: didn't find a plugin capable of expanding the volume; waiting for an external controller to process this PVC.",
            }),
        reason: "ExternalExpanding",
      });
      if (volume.metadata.annotations?.[provisionedBy] !== undefined) await expand(claim, volume);
    },
  };
}

/** Whether a bound claim requests more than it has. */
function hasGrown(claim: KubeObject): boolean {
  if (textAt(claim, "status", "phase") !== "Bound") return false;
  const had = textAt(structAt(claim, "status"), "capacity", "storage");
  return had !== "" && requestOf(claim) > capacityOf(claim);
}
