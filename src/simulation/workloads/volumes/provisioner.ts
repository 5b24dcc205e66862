import { isAlreadyExists } from "../../../apimachinery/errors/error-predicates.ts";
import { structAt, textAt, textOr } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { classOf } from "../../placement/claim-matching.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";

/** The annotation with the name of the provisioner that has made a volume. */
export const provisionedBy = "pv.kubernetes.io/provisioned-by";

/**
 * Creates a volume for a claim as the external provisioner of its class does, whichever that is, with its events (kubernetes-csi,
 * sig-storage-lib-external-provisioner, controller/controller.go).
 */
export async function provision(
  environment: WorkloadEnvironment,
  claim: KubeObject,
  storageClass: KubeObject,
): Promise<void> {
  const { name = "", namespace = "" } = claim.metadata;
  const provisioner = textAt(storageClass, "provisioner");
  const recorder = environment.recorderOf(provisioner);
  const say = (reason: string, message: string) =>
    recorder.record(claim, { type: "Normal", reason, message });
  await say("Provisioning", `External provisioner is provisioning volume for claim "${namespace}/${name}"`);
  const volume = volumeFor(claim, storageClass, provisioner);
  await environment.client.create(volume).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  await say("ProvisioningSucceeded", `Successfully provisioned volume ${volume.metadata.name}`);
}

/** The name of the volume that is provisioned for a claim. */
export function provisionedName({ metadata }: KubeObject): string {
  return `pvc-${metadata.uid}`;
}

function volumeFor(claim: KubeObject, storageClass: KubeObject, provisioner: string) {
  const { name: claimName = "", namespace = "", uid = "", resourceVersion = "" } = claim.metadata;
  const name = provisionedName(claim);
  const { accessModes = null, volumeAttributesClassName } = structAt(claim, "spec");
  const { mountOptions } = storageClass;
  const spec: JsonObject = {
    capacity: { storage: textAt(claim, "spec", "resources", "requests", "storage") },
    ...sourceOf(name, provisioner),
    accessModes,
    claimRef: {
      kind: claim.kind,
      namespace,
      name: claimName,
      uid,
      apiVersion: claim.apiVersion,
      resourceVersion,
    },
    persistentVolumeReclaimPolicy: textOr("Delete", storageClass, "reclaimPolicy"),
    storageClassName: classOf(claim),
    volumeMode: textOr("Filesystem", claim, "spec", "volumeMode"),
    ...(mountOptions !== undefined && { mountOptions }),
    ...(volumeAttributesClassName !== undefined && { volumeAttributesClassName }),
  };
  const metadata = { name, annotations: { [provisionedBy]: provisioner } };
  return { apiVersion: "v1", kind: "PersistentVolume", metadata, spec } as const;
}

/** No CSI driver has a name like `rancher.io/local-path`: such provisioners make directories on nodes. */
function sourceOf(volume: string, provisioner: string): JsonObject {
  return dnsSubdomainMessages(provisioner.toLowerCase()).length === 0
    ? { csi: { driver: provisioner, volumeHandle: volume } }
    : { hostPath: { path: `/var/lib/volumes/${volume}`, type: "DirectoryOrCreate" } };
}
