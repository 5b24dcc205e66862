import { fieldCauses, formatFieldError } from "../../src/apimachinery/errors/field.ts";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { Findings } from "../../src/apimachinery/validation/findings.ts";
import { addPodSpecErrors } from "../../src/kinds/pod-spec/validation/pod-spec.ts";
import { podValidationOptions } from "../../src/kinds/pod-spec/validation/pod-validation-options.ts";
import { internalTypes } from "../../src/schema/internal-types.ts";
import { defaulted, gatesOf } from "./defaulted.ts";
import { quietCluster, type SendRequest, testClient } from "./test-client.ts";

/** The path of the pods of the namespace `default`. */
export const podsPath = "/api/v1/namespaces/default/pods";

/** Sends requests to a new cluster in which pods can be created: they need a service account. */
export function askingForPods(release = "1.32"): SendRequest {
  return testClient(
    quietCluster({ release, controllers: ["serviceaccount-controller", "serviceaccount-token-controller"] }),
  );
}

/** The release whose rules apply, and additional enabled gates. */
export interface Ruling {
  readonly release?: string;
  readonly open?: readonly string[];
}

/** The findings for the spec of a Pod with the name `p`, as `field: message`. The spec is defaulted first. */
export function podSpecFindings(
  spec: JsonObject,
  { release = "1.32", open = [] }: Ruling = {},
): readonly string[] {
  const whole = { spec: { containers: [{ name: "c", image: "i" }], ...spec } };
  const pod = defaulted("v1/Pod", whole, release, open);
  // A Pod has a spec after defaulting.
  const gates = gatesOf(release, open);
  const options = podValidationOptions(gates, "p");
  const errors: Findings = [];
  addPodSpecErrors(errors, pod["spec"] as JsonObject, "spec", options);
  return fieldCauses(errors, gates.since, internalTypes(gates.since, { group: "", version: "v1" })).map(
    formatFieldError,
  );
}

/** The findings for the only container of a Pod, as `field: message` relative to the container. */
export function containerFindings(
  container: JsonObject,
  spec: JsonObject = {},
  ruling: Ruling = {},
): readonly string[] {
  const containers = [{ name: "c", image: "i", ...container }];
  const findings = podSpecFindings({ ...spec, containers }, ruling);
  return findings.map((finding) => finding.replace(/^spec\.containers\[0\]\./, ""));
}
