import type { BuiltInRules } from "../../../registry/contract/built-in-kind.ts";
import { withTemplateHostPorts } from "../../pod-spec/defaults/host-ports.ts";
import { podTemplateDefaults } from "../../pod-spec/defaults/pod-spec-defaults.ts";
import { podTemplateStrategy } from "../../pod-spec/template/pod-template.ts";

export const podTemplateRules: BuiltInRules<"podtemplates"> = {
  strategy: podTemplateStrategy,
  versions: {
    v1: { defaults: withTemplateHostPorts(podTemplateDefaults, "template") },
  },
};
