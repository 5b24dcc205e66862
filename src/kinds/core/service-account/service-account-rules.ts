import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { tokenRequestDefaults } from "../../authentication/token-request/token-request-defaults.ts";
import { serviceAccountStrategy } from "./service-account.ts";
import { serviceAccountTokenRest } from "./service-account-token.ts";

export const serviceAccountRules: BuiltInRules<"serviceaccounts"> = {
  strategy: serviceAccountStrategy,
  subresources: {
    token: { rest: serviceAccountTokenRest, defaults: { "authentication.k8s.io/v1": tokenRequestDefaults } },
  },
};
