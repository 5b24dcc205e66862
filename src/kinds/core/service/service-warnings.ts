import { structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { cidrWarnings, ipWarnings } from "../../addresses/address-warnings.ts";
import { clusterIpsOf, headless } from "./service-fields.ts";

const topologyHints = "service.kubernetes.io/topology-aware-hints";

/** Warnings about fields of a service that have no effect or are deprecated. */
export function serviceWarnings(
  { metadata, ...service }: KubeObject,
  { since }: FeatureGates,
): readonly string[] {
  const spec = structAt(service, "spec");
  const type = textAt(spec, "type");
  const clusterIp = textAt(spec, "clusterIP");
  const hasClusterIp = clusterIp !== "" && clusterIp !== headless;
  const externalIps = textsAt(spec, "externalIPs");
  const loadBalancerIp = textAt(spec, "loadBalancerIP");
  const ranges = textsAt(spec, "loadBalancerSourceRanges");
  return [
    ...(metadata.annotations?.[topologyHints] === undefined
      ? []
      : [
          `annotation ${topologyHints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
        ]),
    ...(hasClusterIp
      ? clusterIpsOf(spec).flatMap((ip, i) => ipWarnings(ip, `spec.clusterIPs[${i}]`, since))
      : []),
    ...externalIps.flatMap((ip, i) => ipWarnings(ip, `spec.externalIPs[${i}]`, since)),
    ...(loadBalancerIp === "" ? [] : ipWarnings(loadBalancerIp, "spec.loadBalancerIP", since)),
    ...ranges.flatMap((cidr, i) => cidrWarnings(cidr, `spec.loadBalancerSourceRanges[${i}]`, since)),
    ...(type === "ExternalName" && externalIps.length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(type !== "ExternalName" && textAt(spec, "externalName") !== ""
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
  ];
}
