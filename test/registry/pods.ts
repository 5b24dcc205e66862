import type { JsonObject } from "../../src/apimachinery/json.ts";
import { validatePodSpec } from "../../src/kinds/pod-spec/validation/pod-spec.ts";
import { podValidationOptions } from "../../src/kinds/pod-spec/validation/pod-validation-options.ts";
import { type Ask, asking, quietCluster } from "./asked.ts";
import { defaulted, gatesOf } from "./defaulted.ts";

/** The path of the pods in the namespace `default`. */
export const podsPath = "/api/v1/namespaces/default/pods";

/** A client of a new cluster in which pods can be created, because the service account exists. */
export function askingForPods(release = "1.32"): Ask {
  return asking(quietCluster({ release, controllers: ["serviceaccount-controller"] }));
}

/** The release whose rules apply, and feature gates to enable besides. */
export interface Ruling {
  readonly release?: string;
  readonly open?: readonly string[];
}

/** The errors in the defaulted spec of a Pod with the name `p`, each as `field: message`. */
export function podSpecFindings(
  spec: JsonObject,
  { release = "1.32", open = [] }: Ruling = {},
): readonly string[] {
  const whole = { spec: { containers: [{ name: "c", image: "i" }], ...spec } };
  const pod = defaulted("v1/Pod", whole, release, open);
  // Defaulting adds the spec of a Pod.
  const options = podValidationOptions(gatesOf(release, open), "p");
  const errors = validatePodSpec(pod["spec"] as JsonObject, "spec", options);
  return errors.map(({ field, body }) => `${field}: ${body}`);
}

/** The errors in the container of a Pod with one container, each as `field: message` below the container. */
export function containerFindings(
  container: JsonObject,
  spec: JsonObject = {},
  ruling: Ruling = {},
): readonly string[] {
  const containers = [{ name: "c", image: "i", ...container }];
  const findings = podSpecFindings({ ...spec, containers }, ruling);
  return findings.map((finding) => finding.replace(/^spec\.containers\[0\]\./, ""));
}
