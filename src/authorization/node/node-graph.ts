import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { formatGroupResource, type GroupResource } from "../../apimachinery/group-version.ts";
import type { FollowingLister, ListedChange, ListedObjects } from "../../apimachinery/lister.ts";
import { mirrorAnnotation } from "../../apimachinery/mirror-pod.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { claimsOf, configMapsOf, secretsOf } from "./pod-references.ts";

/** An object that a node may reach. The namespace is empty for cluster-scoped kinds. */
export interface ReachedObject extends GroupResource {
  readonly namespace: string;
  readonly name: string;
}

const core = (resource: string): GroupResource => ({ group: "", resource });
const storage = (resource: string): GroupResource => ({ group: "storage.k8s.io", resource });
const dynamic = (resource: string): GroupResource => ({ group: "resource.k8s.io", resource });

const followed = [
  core("pods"),
  core("persistentvolumes"),
  storage("volumeattachments"),
  dynamic("resourceslices"),
] as const;

/** What one object lets others be reached by: the nodes it leads to, or the claim that a volume is bound to. */
interface Edges {
  /** The keys of the objects that are reached through this one. */
  readonly reached: readonly string[];
  /** The node, or the key of the claim through which nodes reach them. */
  readonly through: string;
}

/**
 * What the pods, volumes and attachments of each node let it read. It is updated with each change when it is read.
 * Upstream: plugin/pkg/auth/authorizer/node/graph.go.
 */
export class NodeGraph {
  readonly #listed: ListedObjects;
  /** By the key of the object that made them. */
  #edges = new Map<string, Edges>();
  /** How many edges lead from an object to a node or a claim. */
  #reach = new Map<string, Map<string, number>>();

  constructor(lister: FollowingLister) {
    this.#listed = lister.follow(followed);
  }

  /** Whether a node reaches an object: through its pods, or for a volume and its secrets, through the claim of its pods. */
  reaches(node: string, object: ReachedObject): boolean {
    this.#refresh();
    const through = this.#reach.get(keyOf(object, object.namespace, object.name));
    if (through === undefined) return false;
    if (through.has(nodeKey(node))) return true;
    for (const claim of through.keys()) if (this.#reach.get(claim)?.has(nodeKey(node))) return true;
    return false;
  }

  #refresh(): void {
    const listed = this.#listed.next();
    if (listed === undefined) return;
    if (listed.isComplete) {
      this.#edges = new Map();
      this.#reach = new Map();
    }
    for (const change of listed.changes) this.#consider(change);
  }

  #consider({ type, resource, object }: ListedChange): void {
    const { namespace = "", name = "" } = object.metadata;
    const key = keyOf(resource, namespace, name);
    this.#remove(key);
    const edges = type === "put" ? edgesOf(resource, object, key) : undefined;
    if (edges === undefined) return;
    this.#edges.set(key, edges);
    for (const reached of edges.reached) {
      const through = this.#reach.get(reached) ?? new Map<string, number>();
      this.#reach.set(reached, through);
      through.set(edges.through, (through.get(edges.through) ?? 0) + 1);
    }
  }

  #remove(key: string): void {
    const edges = this.#edges.get(key);
    if (edges === undefined) return;
    this.#edges.delete(key);
    for (const reached of edges.reached) {
      const through = this.#reach.get(reached);
      const left = (through?.get(edges.through) ?? 0) - 1;
      if (left > 0) through?.set(edges.through, left);
      else through?.delete(edges.through);
      if (through?.size === 0) this.#reach.delete(reached);
    }
  }
}

function keyOf(resource: GroupResource, namespace: string, name: string): string {
  return `${formatGroupResource(resource)}/${namespace}/${name}`;
}

function nodeKey(name: string): string {
  return `node/${name}`;
}

function edgesOf(resource: GroupResource, object: KubeObject, key: string): Edges | undefined {
  switch (resource.resource) {
    case "pods":
      return edgesOfPod(object, key);
    case "persistentvolumes":
      return edgesOfVolume(object, key);
    case "volumeattachments":
    case "resourceslices": {
      const node = textAt(object, "spec", "nodeName");
      return node === "" ? undefined : { reached: [key], through: nodeKey(node) };
    }
    default:
      return undefined;
  }
}

/** A pod without a node leads nowhere, and a mirror pod only to itself: a node creates it and must not gain access by it. */
function edgesOfPod(pod: KubeObject, key: string): Edges | undefined {
  const node = textAt(pod, "spec", "nodeName");
  if (node === "") return undefined;
  const isMirror = objectAt(pod, "metadata", "annotations")?.[mirrorAnnotation] !== undefined;
  return { reached: isMirror ? [key] : [key, ...referencesOf(pod)], through: nodeKey(node) };
}

function referencesOf(pod: KubeObject): readonly string[] {
  const { namespace = "", name = "" } = pod.metadata;
  const spec = structAt(pod, "spec");
  const keys = (resource: GroupResource, names: readonly string[]) =>
    names.map((each) => keyOf(resource, namespace, each));
  const account = textAt(spec, "serviceAccountName");
  return [
    ...keys(core("serviceaccounts"), account === "" ? [] : [account]),
    ...keys(core("secrets"), secretsOf(spec)),
    ...keys(core("configmaps"), configMapsOf(spec)),
    ...keys(core("persistentvolumeclaims"), claimsOf(spec, name)),
    ...keys(dynamic("resourceclaims"), resourceClaimsOf(pod)),
  ];
}

/** The claims of a pod: named by the pod, or made for it from a template and named in its status. */
function resourceClaimsOf(pod: KubeObject): readonly string[] {
  const made = new Map(
    listAt(pod, "status", "resourceClaimStatuses").map((status) => [
      textAt(status, "name"),
      textAt(status, "resourceClaimName"),
    ]),
  );
  return listAt(pod, "spec", "resourceClaims").flatMap(
    (claim) => textAt(claim, "resourceClaimName") || made.get(textAt(claim, "name")) || [],
  );
}

/** The secrets of a volume that the kubelet reads, by the source of the volume. */
const volumeSecrets: readonly (readonly string[])[] = [
  ["azureFile"],
  ["cephfs", "secretRef"],
  ["cinder", "secretRef"],
  ["csi", "nodeExpandSecretRef"],
  ["csi", "nodePublishSecretRef"],
  ["csi", "nodeStageSecretRef"],
  ["flexVolume", "secretRef"],
  ["iscsi", "secretRef"],
  ["rbd", "secretRef"],
  ["scaleIO", "secretRef"],
  ["storageos", "secretRef"],
];

/** A bound volume and its secrets are reached through its claim. Upstream: pkg/api/v1/persistentvolume/util.go. */
function edgesOfVolume(volume: KubeObject, key: string): Edges | undefined {
  const claim = objectAt(volume, "spec", "claimRef");
  if (claim === undefined) return undefined;
  const namespace = textAt(claim, "namespace");
  const secrets = volumeSecrets.flatMap((path) => {
    const reference = structAt(volume, "spec", ...path);
    const isAzure = path[0] === "azureFile";
    const name = textAt(reference, isAzure ? "secretName" : "name");
    const home = textAt(reference, isAzure ? "secretNamespace" : "namespace") || namespace;
    return name === "" ? [] : keyOf(core("secrets"), home, name);
  });
  return {
    reached: [key, ...secrets],
    through: keyOf(core("persistentvolumeclaims"), namespace, textAt(claim, "name")),
  };
}
