import { booleanAt, listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { compareText } from "../../apimachinery/text-order.ts";

/** An object that a pod needs and that is missing or incomplete. */
export interface MissingReference {
  readonly kind: "ConfigMap" | "Secret" | "PersistentVolumeClaim" | typeof ownContainer;
  readonly name: string;
  readonly message: string;
}

/** The pod has no such container, and will have none. */
export const ownContainer = "Container";

/** Published for every namespace once the cluster has an authority to publish; without one, no pod would start. */
const rootCa = "kube-root-ca.crt";

const resources = {
  ConfigMap: { group: "", resource: "configmaps" },
  Secret: { group: "", resource: "secrets" },
  PersistentVolumeClaim: { group: "", resource: "persistentvolumeclaims" },
} as const;

/**
 * What keeps the volumes of a pod from being mounted, each with what an Event says. Volumes that no container uses are not mounted. Upstream:
 * `processPodVolumes` (pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go).
 */
export function missingVolumes(pod: KubeObject, lister: Lister): readonly MissingReference[] {
  const used = usedVolumes(pod);
  const volumes = listAt(pod, "spec", "volumes").filter((volume) => used.has(textAt(volume, "name")));
  const claims = volumes.flatMap((volume) => missingClaim(pod, volume, lister) ?? []);
  const contents = volumes.flatMap((volume) => missingContents(pod, volume, lister) ?? []);
  const [claim] = claims;
  if (claim === undefined) return contents;
  const namesOf = (missing: readonly VolumeReference[]) => missing.map(({ volume }) => volume);
  const unmounted = [...namesOf(claims), ...namesOf(contents)].toSorted(compareText);
  const lists = `unmounted volumes=[${unmounted.join(" ")}], unattached volumes=[], failed to process volumes=[${namesOf(claims).join(" ")}]`;
  const problems = claims.map(({ message }) => message).join("; ");
  return [...contents, { ...claim, message: `Unable to attach or mount volumes: ${lists}: ${problems}` }];
}

/** What a volume needs. */
interface VolumeReference extends MissingReference {
  readonly volume: string;
}

function usedVolumes(pod: KubeObject): ReadonlySet<string> {
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((field) =>
    listAt(pod, "spec", field),
  );
  const uses = containers.flatMap((one) => [...listAt(one, "volumeMounts"), ...listAt(one, "volumeDevices")]);
  return new Set(uses.map((use) => textAt(use, "name")));
}

/** The objects whose content a volume shows. A projected volume says of all of its sources what is missing. */
function missingContents(pod: KubeObject, volume: JsonObject, lister: Lister): VolumeReference | undefined {
  const isProjected = objectAt(volume, "projected") !== undefined;
  const sources = isProjected ? listAt(volume, "projected", "sources") : [volume];
  const secretName = isProjected ? "name" : "secretName";
  const missing = sources
    .flatMap((source) => [
      missingContent(pod, lister, "ConfigMap", objectAt(source, "configMap"), "name") ?? [],
      missingContent(pod, lister, "Secret", objectAt(source, "secret"), secretName) ?? [],
      ...listAt(source, "downwardAPI", "items").map(
        (item) => missingContainer(pod, objectAt(item, "resourceFieldRef")) ?? [],
      ),
    ])
    .flat();
  const [first] = missing;
  if (first === undefined) return undefined;
  const problems = [...new Set(missing.map(({ message }) => message))];
  const problem = problems.length === 1 ? first.message : `[${problems.join(", ")}]`;
  const name = textAt(volume, "name");
  return { ...first, volume: name, message: `MountVolume.SetUp failed for volume "${name}" : ${problem}` };
}

/** The first object that keeps a container from being created (pkg/kubelet/kubelet_pods.go, makeEnvironmentVariables). */
export function missingEnvironment(
  pod: KubeObject,
  container: JsonObject,
  lister: Lister,
): MissingReference | undefined {
  for (const source of listAt(container, "envFrom")) {
    const missing =
      missingObject(pod, lister, "ConfigMap", objectAt(source, "configMapRef"), "name") ??
      missingObject(pod, lister, "Secret", objectAt(source, "secretRef"), "name");
    if (missing !== undefined) return missing;
  }
  for (const variable of listAt(container, "env")) {
    const missing =
      missingKey(pod, lister, "ConfigMap", objectAt(variable, "valueFrom", "configMapKeyRef")) ??
      missingKey(pod, lister, "Secret", objectAt(variable, "valueFrom", "secretKeyRef")) ??
      missingContainer(pod, objectAt(variable, "valueFrom", "resourceFieldRef"));
    if (missing !== undefined) return missing;
  }
  return undefined;
}

/** The container whose resources a field names. Upstream: `findContainerInPod` (pkg/api/v1/resource/helpers.go). */
function missingContainer(pod: KubeObject, reference: JsonObject | undefined): MissingReference | undefined {
  const name = textAt(reference ?? {}, "containerName");
  if (name === "") return undefined;
  const containers = [...listAt(pod, "spec", "containers"), ...listAt(pod, "spec", "initContainers")];
  if (containers.some((one) => textAt(one, "name") === name)) return undefined;
  return { kind: ownContainer, name, message: `container ${name} not found` };
}

function missingObject(
  { metadata: { namespace = "" } }: KubeObject,
  lister: Lister,
  kind: "ConfigMap" | "Secret",
  reference: JsonObject | undefined,
  field: string,
): MissingReference | undefined {
  if (reference === undefined || booleanAt(reference, "optional")) return undefined;
  const name = textAt(reference, field);
  if (name === rootCa || lister.get(resources[kind], namespace, name) !== undefined) return undefined;
  return { kind, name, message: `${kind.toLowerCase()} "${name}" not found` };
}

/** An object whose content a volume shows, or a key of it that the volume names. Upstream: `MakePayload` (pkg/volume/configmap/configmap.go and pkg/volume/secret/secret.go). */
function missingContent(
  pod: KubeObject,
  lister: Lister,
  kind: "ConfigMap" | "Secret",
  reference: JsonObject | undefined,
  field: string,
): MissingReference | undefined {
  const missing = missingObject(pod, lister, kind, reference, field);
  if (missing !== undefined || reference === undefined || booleanAt(reference, "optional")) return missing;
  const name = textAt(reference, field);
  const object = lister.get(resources[kind], pod.metadata.namespace ?? "", name);
  if (object === undefined) return undefined;
  const key = listAt(reference, "items")
    .map((item) => textAt(item, "key"))
    .find((one) => !hasKey(object, one));
  if (key === undefined) return undefined;
  const what =
    kind === "Secret" ? "references non-existent secret key" : "configmap references non-existent config key";
  return { kind, name, message: `${what}: ${key}` };
}

function hasKey(object: KubeObject, key: string): boolean {
  return ["data", "binaryData"].some((field) => Object.hasOwn(structAt(object, field), key));
}

function missingKey(
  pod: KubeObject,
  lister: Lister,
  kind: "ConfigMap" | "Secret",
  reference: JsonObject | undefined,
): MissingReference | undefined {
  const missing = missingObject(pod, lister, kind, reference, "name");
  if (missing !== undefined || reference === undefined || booleanAt(reference, "optional")) return missing;
  const { namespace = "" } = pod.metadata;
  const [name, key] = [textAt(reference, "name"), textAt(reference, "key")];
  const object = lister.get(resources[kind], namespace, name);
  // The binary data of a ConfigMap are no text.
  if (object === undefined || Object.hasOwn(structAt(object, "data"), key)) return undefined;
  return { kind, name, message: `couldn't find key ${key} in ${kind} ${namespace}/${name}` };
}

/** A claim that is not bound (pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go). */
function missingClaim(
  { metadata: { namespace = "", name: pod = "" } }: KubeObject,
  volume: JsonObject,
  lister: Lister,
): VolumeReference | undefined {
  const kind = "PersistentVolumeClaim";
  const volumeName = textAt(volume, "name");
  const isEphemeral = objectAt(volume, "ephemeral") !== undefined;
  const name = isEphemeral ? `${pod}-${volumeName}` : textAt(volume, "persistentVolumeClaim", "claimName");
  if (name === "") return undefined;
  const claim = lister.get(resources[kind], namespace, name);
  if (claim !== undefined && textAt(claim, "status", "phase") === "Bound") return undefined;
  const problem =
    claim === undefined
      ? `failed to fetch PVC from API server: persistentvolumeclaim "${name}" not found`
      : "PVC is not bound";
  return {
    kind,
    name,
    volume: volumeName,
    message: `error processing PVC ${namespace}/${name}: ${problem}`,
  };
}
