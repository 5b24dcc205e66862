import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { secretDefaults } from "../core-defaults.ts";
import { secretStrategy } from "./secret.ts";

export const secretRules: KindRules<"secrets"> = {
  strategy: secretStrategy,
  versions: {
    v1: { defaults: secretDefaults },
  },
};
