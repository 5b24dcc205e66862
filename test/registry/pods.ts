import type { JsonObject } from "../../src/apimachinery/json.ts";
import { featureGates } from "../../src/catalog/feature-gates.ts";
import { validatePodSpec } from "../../src/registry/core/pod-spec-validation/pod-spec.ts";
import { podValidationOptions } from "../../src/registry/core/pod-spec-validation/pod-validation-options.ts";
import { type Ask, asking, quietCluster } from "./asked.ts";
import { defaulted } from "./defaulted.ts";

/** Where the pods of the namespace `default` are. */
export const podsPath = "/api/v1/namespaces/default/pods";

/** Asks a cluster of its own in which pods may be made: they need an account. */
export function askingForPods(): Ask {
  return asking(quietCluster({ controllers: ["serviceaccount-controller"] }));
}

/** What is wrong with the spec of a Pod of the name `p`, each as `field: message`. The spec is defaulted first. */
export function podSpecFindings(spec: JsonObject): readonly string[] {
  const pod = defaulted("v1/Pod", { spec: { containers: [{ name: "c", image: "i" }], ...spec } });
  // A Pod has a spec once it is defaulted.
  const errors = validatePodSpec(
    pod["spec"] as JsonObject,
    "spec",
    podValidationOptions(featureGates("1.32"), "p"),
  );
  return errors.map(({ field, body }) => `${field}: ${body}`);
}

/** What is wrong with the only container of a Pod, each as `field: message` below the container. */
export function containerFindings(container: JsonObject, spec: JsonObject = {}): readonly string[] {
  const findings = podSpecFindings({ ...spec, containers: [{ name: "c", image: "i", ...container }] });
  return findings.map((finding) => finding.replace(/^spec\.containers\[0\]\./, ""));
}
