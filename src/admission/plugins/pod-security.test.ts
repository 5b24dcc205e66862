import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import { podSecurity } from "./pod-security.ts";

type Labels = { readonly [label: string]: string };

const labelsOf = (enforce: string): Labels => ({ "pod-security.kubernetes.io/enforce": enforce });

/** The plugin in a namespace whose labels change; `refusals` returns the reason why a pod with the namespaces of its node is refused. */
function plugin(configuration: JsonObject = {}) {
  let labels: Labels = {};
  const namespaceOf = (): KubeObject => ({
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name: "n", labels },
  });
  const lister = { get: namespaceOf, list: () => [] };
  const gates = featureGates("1.32");
  const { validate } = podSecurity(lister, () => undefined, gates, configuration);
  const object: KubeObject = {
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name: "p", namespace: "n" },
    spec: { hostPID: true, containers: [{ name: "c", image: "i" }] },
  };
  // All that the plugin reads of a create.
  const attributes = {
    operation: "CREATE",
    gvk: { group: "", version: "v1", kind: "Pod" },
    gvr: { group: "", version: "v1", resource: "pods" },
    subresource: "",
    namespace: "n",
    name: "p",
    object,
    oldObject: undefined,
    user: { name: "alice", uid: "", groups: [], extra: {} },
    warn: () => {},
    notes: undefined,
  } as unknown as AdmissionAttributes;
  return {
    relabel: (next: Labels) => {
      labels = next;
    },
    refusal: async () => {
      try {
        await validate?.(attributes);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}

const baseline = expect.stringContaining('violates PodSecurity "baseline:latest": host namespaces');
const restricted = expect.stringContaining('violates PodSecurity "restricted:latest": host namespaces');

test("each namespace has the policy of its labels, which is remembered for labels that stay", async () => {
  const { relabel, refusal } = plugin();
  const [one, other] = [deepFreeze(labelsOf("baseline")), deepFreeze(labelsOf("restricted"))];
  for (const [labels, expected] of [
    [one, baseline],
    [one, baseline],
    [other, restricted],
    [deepFreeze(labelsOf("privileged")), undefined],
    [one, baseline],
    [deepFreeze({}), undefined],
  ] as const) {
    relabel(labels);
    expect(await refusal()).toEqual(expected);
  }
});

test("labels that can still change are read each time", async () => {
  const { relabel, refusal } = plugin();
  const labels = { ...labelsOf("baseline") };
  relabel(labels);
  expect(await refusal()).toEqual(baseline);
  labels["pod-security.kubernetes.io/enforce"] = "privileged";
  expect(await refusal()).toBeUndefined();
});

test("the same labels have another policy where the defaults are others", async () => {
  const labels = deepFreeze({});
  const plain = plugin();
  const strict = plugin({
    apiVersion: "pod-security.admission.config.k8s.io/v1",
    kind: "PodSecurityConfiguration",
    defaults: { enforce: "baseline" },
  });
  for (const { relabel } of [plain, strict]) relabel(labels);
  expect([await plain.refusal(), await strict.refusal()]).toEqual([undefined, baseline]);
  expect([await plain.refusal(), await strict.refusal()]).toEqual([undefined, baseline]);
});
