import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { secretStrategy } from "./secret.ts";
import { secretDefaults } from "./secret-defaults.ts";

export const secretRules: KindRules<"secrets"> = {
  strategy: secretStrategy,
  versions: {
    v1: { defaults: secretDefaults },
  },
};
