import { expect, test } from "vitest";
import { VirtualClock } from "../apimachinery/clock.ts";
import { featureGates } from "../catalog/feature-gates.ts";
import { OutgoingTargets } from "../webhooks/outgoing-targets.ts";
import type { AdmissionPlugin } from "./contract/admission.ts";
import type { Participation } from "./on-demand.ts";
import { type OptionalPluginEnvironment, optionalPlugins } from "./optional-plugins.ts";
import {
  type OptionalPluginName,
  ofOptional,
  ofResources,
  type ResourcePluginName,
} from "./participations.ts";
import { type ResourcePluginEnvironment, resourcePlugins } from "./resource-plugins.ts";

const lister = { get: () => undefined, list: () => [] };
const limits = { limits: [{ type: "Server", qps: 1, burst: 1 }] };
const kind = { apiVersion: "eventratelimit.admission.k8s.io/v1alpha1", kind: "Configuration" };
const environment: OptionalPluginEnvironment & ResourcePluginEnvironment = {
  lister,
  authorize: () => ({ verdict: "noOpinion", reason: "" }),
  gates: featureGates("1.32"),
  clock: new VirtualClock(0),
  configurations: new Map([
    ["EventRateLimit", { ...kind, ...limits }],
    [
      "ImagePolicyWebhook",
      { imagePolicy: { kubeConfigFile: "", allowTTL: 60, denyTTL: 60, retryBackoff: 500 } },
    ],
  ]),
  targets: new OutgoingTargets(),
  resourceOfKind: () => undefined,
  createNamespace: async () => undefined,
  podTemplateOf: () => undefined,
  suffix: () => "",
  settle: async () => {},
};

const operations = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

function takesPart({ handles, admit, validate }: AdmissionPlugin): Omit<Participation, "concerns"> {
  return {
    operations: operations.filter((operation) => handles(operation)),
    phases: [...(admit ? (["admit"] as const) : []), ...(validate ? (["validate"] as const) : [])],
  };
}

// The keys of both tables are these names.
const names = Object.keys(ofOptional) as OptionalPluginName[];
const namesForResources = Object.keys(ofResources) as ResourcePluginName[];

test.each(names)("%s takes part as its code says", (name) => {
  const { operations: known, phases } = ofOptional[name];
  expect(takesPart(optionalPlugins[name](environment))).toEqual({ operations: known, phases });
});

test.each(namesForResources)("%s takes part as its code says", (name) => {
  const { operations: known, phases } = ofResources[name];
  expect(takesPart(resourcePlugins[name](environment))).toEqual({ operations: known, phases });
});
