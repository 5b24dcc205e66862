import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";

const secrets = { group: "", resource: "secrets" };

/** The names of the Secrets for pulls of images that do not exist. Upstream: `getPullSecretsForPod` (pkg/kubelet/kubelet_pods.go). */
export function missingPullSecrets(pod: KubeObject, lister: Lister): readonly string[] {
  const { namespace = "" } = pod.metadata;
  return listAt(pod, "spec", "imagePullSecrets")
    .map((secret) => textAt(secret, "name"))
    .filter((name) => name !== "" && lister.get(secrets, namespace, name) === undefined);
}

/** What the Event about them says. */
export function pullSecretsMessage(names: readonly string[]): string {
  return `Unable to retrieve some image pull secrets (${names.join(", ")}); attempting to pull the image may not succeed.`;
}
