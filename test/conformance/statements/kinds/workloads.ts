import type { Statement } from "../statement.ts";
import { core, kindStatements } from "./kind-cases.ts";

const apps = "/apis/apps/v1/namespaces/default";
const selector = { matchLabels: { a: "b" } };

function tp(spec: object = {}): object {
  return { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }], ...spec } };
}

export const workloadsStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a Deployment",
      source: "kubernetes, pkg/apis/apps/validation/validation_test.go, TestValidateDeployment",
      target: `${apps}/deployments`,
      body: (changes) => ({ spec: { selector, template: tp(), ...changes } }),
    },
    [
      ["ok", {}],
      ["neg replicas", { replicas: -1 }, "spec.replicas"],
      ["empty selector", { selector: {} }, "spec.selector"],
      ["no selector", { selector: null }, "spec.selector"],
      ["mismatch", { selector: { matchLabels: { a: "c" } } }, "spec.template.metadata.labels"],
      ["never", { template: tp({ restartPolicy: "Never" }) }, "spec.template.spec.restartPolicy"],
      [
        "recreate with ru",
        { strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } },
        "spec.strategy.rollingUpdate",
      ],
      [
        "ru both 0",
        { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
        "spec.strategy.rollingUpdate.maxUnavailable",
      ],
      [
        "ru 0%",
        { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "0%", maxUnavailable: "0%" } } },
        "spec.strategy.rollingUpdate.maxUnavailable",
      ],
      [
        "ru 110%",
        { strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "110%" } } },
        "spec.strategy.rollingUpdate.maxUnavailable",
      ],
      ["surge 200%", { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "200%" } } }],
      [
        "ru text",
        { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25" } } },
        "spec.strategy.rollingUpdate.maxSurge",
      ],
      ["pds < mrs", { minReadySeconds: 600, progressDeadlineSeconds: 600 }, "spec.progressDeadlineSeconds"],
      ["pds neg", { progressDeadlineSeconds: -1 }, "spec.progressDeadlineSeconds"],
      ["rhl neg", { revisionHistoryLimit: -1 }, "spec.revisionHistoryLimit"],
      ["ads", { template: tp({ activeDeadlineSeconds: 5 }) }, "spec.template.spec.activeDeadlineSeconds"],
      [
        "ephemeral",
        { template: tp({ ephemeralContainers: [{ name: "e", image: "i" }] }) },
        "spec.template.spec.ephemeralContainers",
      ],
    ],
  ),
  ...kindStatements(
    {
      subject: "a StatefulSet",
      source: "kubernetes, pkg/apis/apps/validation/validation_test.go, TestValidateStatefulSet",
      target: `${apps}/statefulsets`,
      body: (changes) => ({ spec: { selector, serviceName: "s", template: tp(), ...changes } }),
    },
    [
      ["ok", {}],
      ["no serviceName", { serviceName: "" }],
      ["pmp bad", { podManagementPolicy: "Q" }, "spec.podManagementPolicy"],
      [
        "ondelete partition",
        { updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } },
        "spec.updateStrategy.rollingUpdate",
      ],
      [
        "partition neg",
        { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: -1 } } },
        "spec.updateStrategy.rollingUpdate.partition",
      ],
      ["ordinals neg", { ordinals: { start: -1 } }, "spec.ordinals.start"],
      [
        "pvcrp bad",
        { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Q", whenScaled: "Retain" } },
        "spec.persistentVolumeClaimRetentionPolicy.whenDeleted",
      ],
      ["vct bad", { volumeClaimTemplates: [{ metadata: { name: "x" }, spec: {} }] }],
      ["OnFailure", { template: tp({ restartPolicy: "OnFailure" }) }, "spec.template.spec.restartPolicy"],
      ["ads", { template: tp({ activeDeadlineSeconds: 1 }) }, "spec.template.spec.activeDeadlineSeconds"],
    ],
  ),
  ...kindStatements(
    {
      subject: "a DaemonSet",
      source: "kubernetes, pkg/apis/apps/validation/validation_test.go, TestValidateDaemonSet",
      target: `${apps}/daemonsets`,
      body: (changes) => ({ spec: { selector, template: tp(), ...changes } }),
    },
    [
      ["ok", {}],
      ["ads", { template: tp({ activeDeadlineSeconds: 1 }) }, "spec.template.spec.activeDeadlineSeconds"],
      [
        "both 0",
        { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0 } } },
        "spec.updateStrategy.rollingUpdate.maxUnavailable",
      ],
      [
        "surge",
        { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } },
      ],
      [
        "surge both",
        { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } },
        "spec.updateStrategy.rollingUpdate.maxSurge",
      ],
      [
        "surge 101%",
        { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: "101%" } } },
        "spec.updateStrategy.rollingUpdate.maxSurge",
      ],
      ["mrs neg", { minReadySeconds: -1 }, "spec.minReadySeconds"],
    ],
  ),
  ...kindStatements(
    {
      subject: "a ReplicationController",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateReplicationController",
      target: `${core}/replicationcontrollers`,
      body: (changes) => ({ spec: changes }),
    },
    [
      ["ok", { selector: { a: "b" }, template: tp() }],
      ["no selector default", { template: tp() }],
      ["mismatch", { selector: { a: "c" }, template: tp() }, "spec.template.metadata.labels"],
      ["no template", { selector: { a: "b" } }, "spec.template"],
      ["OnFailure", { template: tp({ restartPolicy: "OnFailure" }) }, "spec.template.spec.restartPolicy"],
    ],
  ),
];
