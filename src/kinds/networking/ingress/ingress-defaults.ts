import { type Defaulter, each, ifSet, whenUnset } from "../../defaulting/defaulter.ts";

/**
 * Ingress of the beta versions; networking.k8s.io/v1 requires the type of a path.
 * Upstream: pkg/apis/networking/v1beta1/defaults.go, SetDefaults_HTTPIngressPath.
 */
export const betaIngressDefaults: Defaulter = ifSet(
  "spec",
  each("rules", ifSet("http", each("paths", whenUnset({ pathType: "ImplementationSpecific" })))),
);
