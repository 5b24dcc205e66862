import { objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { changed, withGeneration, withPreparation } from "../../../registry/contract/default-strategy.ts";
import { type GatedFields, gatedField } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { ipWarnings } from "../../addresses/address-warnings.ts";
import { addEndpointSliceErrors, addEndpointSliceUpdateErrors } from "./endpoint-slice-validation.ts";
import { endpointFromBeta, endpointToBeta, hostnameLabel, withEndpoints } from "./endpoint-topology.ts";

/** The strategy of EndpointSlices. Upstream: pkg/registry/discovery/endpointslice/strategy.go. */
export function endpointSliceStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  return {
    ...withPreparation(withGeneration(base, specOrLabelsChanged), (slice, old) => {
      dropDisabled(slice, old, gates);
      const isSame = old !== undefined && jsonEqual(slice["endpoints"] ?? [], old["endpoints"] ?? []);
      if (!isSame) dropTopology(slice, old);
    }),
    metadataChecks: { create: "core", update: "own" },
    validate: (errors, slice) => addEndpointSliceErrors(errors, asV1(slice), gates),
    validateUpdate: (errors, slice, old) =>
      addEndpointSliceUpdateErrors(errors, asV1(slice), asV1(old), gates),
    warningsOnCreate: (slice) => [
      ...(textAt(slice, "addressType") === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : []),
      ...addressWarnings(slice, gates.since),
    ],
    warningsOnUpdate: (slice) => addressWarnings(slice, gates.since),
  };
}

/** The strategy of v1beta1, which may set the topology. From 1.21 on, its hostname is also the name of the node. */
export function betaEndpointSliceStrategy(strategy: Strategy, { gates }: StrategyFacts): Strategy {
  const prepare = (slice: MutableKubeObject, old: KubeObject | undefined) => {
    dropDisabled(slice, old, gates);
    if (!gates.since("1.21") || !isStoredAsBeta(slice)) return;
    const { endpoints } = withEndpoints(asV1(slice), endpointToBeta);
    if (endpoints !== undefined) slice["endpoints"] = endpoints;
  };
  return {
    ...strategy,
    prepareForCreate: (slice) => prepare(slice, undefined),
    prepareForUpdate: prepare,
  };
}

/** 1.21 serves v1, but stores v1beta1 so that 1.20 can read it. */
function isStoredAsBeta({ apiVersion }: KubeObject): boolean {
  return apiVersion.endsWith("/v1beta1");
}

function asV1(slice: KubeObject): KubeObject {
  return isStoredAsBeta(slice) ? withEndpoints(slice, endpointFromBeta) : slice;
}

/** Drops the deprecated topology, but keeps a node name that the old object has. */
function dropTopology(slice: MutableKubeObject, old: KubeObject | undefined): void {
  const known = new Set(endpointsOf(old && asV1(old)).map(topologyNode));
  const kept = withEndpoints(asV1(slice), (endpoint) => withoutTopology(endpoint, known));
  const { endpoints } = isStoredAsBeta(slice) ? withEndpoints(kept, endpointToBeta) : kept;
  if (endpoints !== undefined) slice["endpoints"] = endpoints;
}

function withoutTopology(endpoint: JsonObject, known: ReadonlySet<string>): JsonObject {
  const { deprecatedTopology, ...kept } = endpoint;
  if (deprecatedTopology === undefined) return endpoint;
  const nodeName = topologyNode(endpoint);
  const isKnown = nodeName !== "" && known.has(nodeName) && dnsSubdomainMessages(nodeName).length === 0;
  return isKnown && kept["nodeName"] === undefined ? { ...kept, nodeName } : kept;
}

function endpointsOf(slice: KubeObject | undefined): readonly JsonObject[] {
  const endpoints = slice?.["endpoints"];
  return Array.isArray(endpoints) ? endpoints.filter(isJsonObject) : [];
}

function topologyNode(endpoint: JsonObject): string {
  return textAt(objectAt(endpoint, "deprecatedTopology") ?? {}, hostnameLabel);
}

/** Fields of an endpoint behind feature gates, unless an old endpoint sets them. */
const gatedFields: readonly GatedFields[] = [
  gatedField("EndpointSliceNodeName", "nodeName"),
  gatedField("EndpointSliceTerminatingCondition", "conditions", "serving"),
  gatedField("EndpointSliceTerminatingCondition", "conditions", "terminating"),
  gatedField("TopologyAwareHints", "hints"),
  gatedField("PreferSameTrafficDistribution", "hints", "forNodes"),
];

function dropDisabled(slice: MutableKubeObject, old: KubeObject | undefined, gates: FeatureGates): void {
  for (const { gate, drop } of gatedFields) {
    const isUsed = endpointsOf(old).some((endpoint) => drop(endpoint) !== endpoint);
    if (gates.isEnabled(gate) || isUsed || slice["endpoints"] === undefined) continue;
    slice["endpoints"] = endpointsOf(slice).map(drop);
  }
}

const managedBy = "endpointslice.kubernetes.io/managed-by";
const controllers = ["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];

/** The warnings for addresses that are not in their canonical form, except in slices of upstream's controllers. */
function addressWarnings(slice: KubeObject, since: Since): readonly string[] {
  const manager = slice.metadata.labels?.[managedBy] ?? "";
  if (!since("1.33") || controllers.includes(manager)) return [];
  return endpointsOf(slice).flatMap((endpoint, i) =>
    textsAt(endpoint, "addresses").flatMap((address, j) =>
      ipWarnings(address, `endpoints[${i}].addresses[${j}]`, since),
    ),
  );
}

const endpointsChanged = changed("addressType", "endpoints", "ports");

function specOrLabelsChanged(slice: KubeObject, old: KubeObject): boolean {
  return endpointsChanged(slice, old) || !jsonEqual(slice.metadata.labels ?? {}, old.metadata.labels ?? {});
}
