import type { KindRules } from "../../../registry/contract/kind-definition.ts";
import { podTemplateDefaults } from "../../pod-spec/defaults/pod-spec-defaults.ts";
import { podTemplateStrategy } from "../../pod-spec/template/pod-template.ts";

export const podTemplateRules: KindRules<"podtemplates"> = {
  strategy: podTemplateStrategy,
  versions: {
    v1: { defaults: podTemplateDefaults },
  },
};
