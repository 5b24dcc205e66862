import type { JsonObject } from "../../src/apimachinery/json.ts";
import { validatePodSpec } from "../../src/kinds/pod-spec/validation/pod-spec.ts";
import { podValidationOptions } from "../../src/kinds/pod-spec/validation/pod-validation-options.ts";
import { type Ask, asking, quietCluster } from "./asked.ts";
import { defaulted, gatesOf } from "./defaulted.ts";

/** Where the pods of the namespace `default` are. */
export const podsPath = "/api/v1/namespaces/default/pods";

/** Asks a cluster of its own in which pods may be made: they need an account. */
export function askingForPods(release = "1.32"): Ask {
  return asking(quietCluster({ release, controllers: ["serviceaccount-controller"] }));
}

/** The release that rules are looked at in, and gates that are open besides its own. */
export interface Ruling {
  readonly release?: string;
  readonly open?: readonly string[];
}

/** What is wrong with the spec of a Pod of the name `p`, each as `field: message`. The spec is defaulted first. */
export function podSpecFindings(
  spec: JsonObject,
  { release = "1.32", open = [] }: Ruling = {},
): readonly string[] {
  const whole = { spec: { containers: [{ name: "c", image: "i" }], ...spec } };
  const pod = defaulted("v1/Pod", whole, release, open);
  // A Pod has a spec once it is defaulted.
  const options = podValidationOptions(gatesOf(release, open), "p");
  const errors = validatePodSpec(pod["spec"] as JsonObject, "spec", options);
  return errors.map(({ field, body }) => `${field}: ${body}`);
}

/** What is wrong with the only container of a Pod, each as `field: message` below the container. */
export function containerFindings(
  container: JsonObject,
  spec: JsonObject = {},
  ruling: Ruling = {},
): readonly string[] {
  const containers = [{ name: "c", image: "i", ...container }];
  const findings = podSpecFindings({ ...spec, containers }, ruling);
  return findings.map((finding) => finding.replace(/^spec\.containers\[0\]\./, ""));
}
