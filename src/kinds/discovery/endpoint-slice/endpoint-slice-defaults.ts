import { type Defaulter, each, whenUnset } from "../../defaulting/defaulter.ts";

/** EndpointSlice. Upstream: pkg/apis/discovery/v1/defaults.go, SetDefaults_EndpointPort. */
export const endpointSliceDefaults: Defaulter = each("ports", whenUnset({ name: "", protocol: "TCP" }));
