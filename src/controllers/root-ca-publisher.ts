import { isAlreadyExists } from "../apimachinery/errors/error-predicates.ts";
import { jsonEqual } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Since } from "../apimachinery/release.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";
import { activeNamespaceOf, isActive } from "./contract/namespaces.ts";

const namespaces = { group: "", resource: "namespaces" };
const configMaps = { group: "", resource: "configmaps" };
const configMapName = "kube-root-ca.crt";
const descriptionAnnotation = "kubernetes.io/description";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the " +
  "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Whether an object is such a ConfigMap. */
export function isRootCa({ kind, metadata }: KubeObject): boolean {
  return kind === "ConfigMap" && metadata.name === configMapName;
}

/** The ConfigMap of a namespace. */
export function rootCaConfigMap(namespace: string, certificate: string, since: Since): KubeObject {
  const annotations = { [descriptionAnnotation]: description };
  return {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: configMapName, namespace, ...(since("1.22") && { annotations }) },
    data: { "ca.crt": certificate },
  };
}

/** Whether the release has the controller. Until 1.19, only the projected volumes for which it was made need it. */
export function publishesRootCa({ isEnabled, since }: FeatureGates): boolean {
  return isEnabled(since("1.20") ? "RootCAConfigMap" : "BoundServiceAccountTokenVolume");
}

/**
 * Maintains the ConfigMap `kube-root-ca.crt` in every namespace, from which pods get the certificate authority of the
 * API server. Without an authority to publish, it leaves existing ConfigMaps alone: they may be those of another cluster.
 */
export function rootCaPublisher(
  lister: Lister,
  client: ControllerClient,
  rootCa: () => string,
  gates: FeatureGates,
): Controller {
  const isOn = publishesRootCa(gates);
  return {
    name: "root-ca-certificate-publisher-controller",
    kinds: ["Namespace", "ConfigMap"],
    observe: (change) => {
      if (!isOn) return [];
      if (isRootCa(change.object)) return [change.object.metadata.namespace ?? ""];
      return activeNamespaceOf(change);
    },
    observePublication: () =>
      isOn ? lister.list(namespaces, "").map(({ metadata }) => metadata.name ?? "") : [],
    reconcile: async (namespace) => {
      if (!isActive(lister, namespace)) return;
      const certificate = rootCa();
      const found = lister.get(configMaps, namespace, configMapName);
      if (found !== undefined && certificate === "") return;
      const manifest = rootCaConfigMap(namespace, certificate, gates.since);
      const { data = null, metadata } = manifest;
      const own = found?.metadata.annotations ?? {};
      const annotations = { ...metadata.annotations, ...own };
      if (jsonEqual([found?.["data"] ?? null, own], [data, annotations])) return;
      // What others add to the metadata stays, not what they add to the data.
      const write =
        found === undefined
          ? client.create(manifest)
          : client.update({ ...found, data, metadata: { ...found.metadata, annotations } });
      await write.catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
    },
  };
}
