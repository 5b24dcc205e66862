import {
  all,
  type Defaulter,
  ifSet,
  inStruct,
  isZero,
  sentStruct,
  whenUnset,
} from "../../defaulting/defaulter.ts";
import {
  podSpecDefaults,
  withoutInitContainerAnnotations,
} from "../../pod-spec/defaults/pod-spec-defaults.ts";
import { labelsFromTemplate, templateLabels } from "../../workload/template-labels.ts";

const selectAsTemplate: Defaulter = (controller) => {
  const selector = templateLabels(controller);
  const spec = sentStruct(controller, "spec");
  if (selector !== undefined && spec !== undefined && isZero(spec["selector"])) spec["selector"] = selector;
};

/** The defaults of a ReplicationController. The template can be missing. */
export const replicationControllerDefaults: Defaulter = all(
  selectAsTemplate,
  labelsFromTemplate,
  inStruct(
    "spec",
    whenUnset({ replicas: 1 }),
    ifSet("template", withoutInitContainerAnnotations, inStruct("spec", podSpecDefaults)),
  ),
);
