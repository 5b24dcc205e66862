import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { resourcePoolStatusRequestDefaults } from "./resource-pool-status-request-defaults.ts";

export const resourcePoolStatusRequestRules: BuiltInRules<"resourcepoolstatusrequests"> = {
  versions: {
    "resource.k8s.io/v1alpha3": { defaults: resourcePoolStatusRequestDefaults },
  },
};
