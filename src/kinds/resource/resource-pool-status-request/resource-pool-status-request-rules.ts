import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { resourcePoolStatusRequestDefaults } from "./resource-pool-status-request-defaults.ts";

export const resourcePoolStatusRequestRules: KindRules<"resourcepoolstatusrequests"> = {
  versions: {
    "resource.k8s.io/v1alpha3": { defaults: resourcePoolStatusRequestDefaults },
  },
};
