import { all, type Defaulter, ifSet, inStruct, isZero, structAt, whenUnset } from "./defaulter.ts";
import { podSpecDefaults } from "./pod-spec.ts";
import { labelAsTemplate, templateLabels } from "./template-labels.ts";

const selectAsTemplate: Defaulter = (controller) => {
  const selector = templateLabels(controller);
  const spec = structAt(controller, "spec");
  if (selector !== undefined && spec !== undefined && isZero(spec["selector"])) spec["selector"] = selector;
};

/** ReplicationController, whose template may be missing. */
export const replicationControllerDefaults: Defaulter = all(
  selectAsTemplate,
  labelAsTemplate,
  inStruct("spec", whenUnset({ replicas: 1 }), ifSet("template", inStruct("spec", podSpecDefaults))),
);
