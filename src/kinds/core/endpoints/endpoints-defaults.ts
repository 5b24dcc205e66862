import { type Defaulter, each, whenZero } from "../../defaulting/defaulter.ts";

export const endpointsDefaults: Defaulter = each("subsets", each("ports", whenZero({ protocol: "TCP" })));
