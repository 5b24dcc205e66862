import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { collectErrors } from "../../../apimachinery/validation/findings.ts";
import { featureGates } from "../../../catalog/feature-gates.ts";
import { deepFreeze } from "../../../store/deep-freeze.ts";
import { podValidationOptions } from "../../pod-spec/validation/pod-validation-options.ts";
import { addWholePodErrors } from "./pod-validation.ts";

const gates = featureGates("1.32");

const container: JsonObject = {
  name: "c",
  image: "i",
  terminationMessagePolicy: "File",
  imagePullPolicy: "Always",
};
const spec: JsonObject = {
  containers: [{ ...container, env: [{ name: "a b" }] }],
  restartPolicy: "Always",
  dnsPolicy: "ClusterFirst",
  terminationGracePeriodSeconds: 30,
  securityContext: {},
};
const pod = (parts: JsonObject, annotations: { readonly [key: string]: string } = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "default", annotations },
  spec: parts,
});
const fieldsOf = (object: KubeObject, found = gates, name = "p"): readonly string[] =>
  collectErrors((errors) => addWholePodErrors(errors, object, podValidationOptions(found, name))).map(
    ({ field }) => field,
  );

test("a valid spec is validated again with other gates", () => {
  const stored = deepFreeze(structuredClone(spec));
  expect(fieldsOf(pod(stored))).toEqual([]);
  const strict = featureGates("1.32", new Map([["RelaxedEnvironmentVariableValidation", false]]));
  expect(fieldsOf(pod(stored), strict)).toEqual(["spec.containers[0].env[0].name"]);
  expect(fieldsOf(pod(stored))).toEqual([]);
});

test("annotations are validated even if the spec is known to be valid", () => {
  const stored = deepFreeze(structuredClone(spec));
  expect(fieldsOf(pod(stored))).toEqual([]);
  const bad = { "controller.kubernetes.io/pod-deletion-cost": "x" };
  expect(fieldsOf(pod(stored, bad))).toEqual([
    "metadata.annotations[controller.kubernetes.io/pod-deletion-cost]",
  ]);
});

test("a mutable spec is validated each time", () => {
  const open = structuredClone(spec) as { [name: string]: JsonObject[string] };
  expect(fieldsOf(pod(open))).toEqual([]);
  open["dnsPolicy"] = "Elsewhere";
  expect(fieldsOf(pod(open))).toEqual(["spec.dnsPolicy"]);
});

test("claims with the name of the pod are validated for each pod", () => {
  const volumeClaimTemplate = {
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1" } },
      volumeMode: "Filesystem",
    },
  };
  const stored = deepFreeze({ ...spec, volumes: [{ name: "data", ephemeral: { volumeClaimTemplate } }] });
  expect(fieldsOf(pod(stored))).toEqual([]);
  expect(fieldsOf(pod(stored), gates, "q".repeat(250))).toEqual(["spec.volumes[0].name"]);
});
