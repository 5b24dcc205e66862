import { all, type Defaulter, inStruct, whenUnset } from "../../defaulting/defaulter.ts";
import { podTemplateDefaults } from "../../pod-spec/defaults/pod-spec-defaults.ts";
import { selectorAndLabelsFromTemplate } from "../../workload/template-labels.ts";

/** ReplicaSet of apps/v1 and apps/v1beta2. Upstream: pkg/apis/apps/v1/defaults.go, SetDefaults_ReplicaSet. */
export const replicaSetDefaults: Defaulter = inStruct(
  "spec",
  whenUnset({ replicas: 1 }),
  podTemplateDefaults,
);

/** ReplicaSet of extensions/v1beta1. Upstream: pkg/apis/extensions/v1beta1/defaults.go, SetDefaults_ReplicaSet. */
export const extensionsReplicaSetDefaults: Defaulter = all(selectorAndLabelsFromTemplate, replicaSetDefaults);
