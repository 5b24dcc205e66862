import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { secretStrategy } from "./secret.ts";
import { secretDefaults } from "./secret-defaults.ts";

export const secretRules: BuiltInRules<"secrets"> = {
  strategy: secretStrategy,
  versions: {
    v1: { defaults: secretDefaults },
  },
};
