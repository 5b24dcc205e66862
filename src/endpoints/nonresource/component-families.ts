import type { JsonObject } from "../../apimachinery/json.ts";
import type { Since } from "../../apimachinery/release.ts";
import { gateStages } from "../../catalog/feature-gate-stages.ts";
import { effectiveGates } from "../../catalog/feature-gates.ts";
import type { GateStage } from "../../catalog/gate-life.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { MetricFamily, Samples } from "../contract/metric-family.ts";
import { versionInfo } from "./version.ts";

/** The metrics of every component. Upstream: component-base, metrics/prometheus. */
export function componentFamilies(environment: EndpointEnvironment): readonly MetricFamily[] {
  const { version } = environment.catalog;
  const { binary, emulation, minCompatibility } = version;
  return [
    {
      name: "kubernetes_build_info",
      type: "gauge",
      help: "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
      samples: new Map([[buildLabels(versionInfo(version), environment.gates.since), 1]]),
    },
    {
      name: "kubernetes_feature_enabled",
      type: "gauge",
      help: "This metric records the data about the stage and enablement of a k8s feature.",
      samples: features(environment),
    },
    {
      name: "version_info",
      type: "gauge",
      help: "Provides the compatibility version info of the component. The component label is the name of the component, usually kube, but is relevant for aggregated-apiservers.",
      samples: new Map([
        [
          `binary="${binary}.0",component="kube",emulation="${emulation}",min_compat="${minCompatibility}"`,
          1,
        ],
      ]),
    },
  ];
}

const buildFields: readonly (readonly [label: string, field: string])[] = [
  ["build_date", "buildDate"],
  ["compiler", "compiler"],
  ["git_commit", "gitCommit"],
  ["git_tree_state", "gitTreeState"],
  ["git_version", "gitVersion"],
  ["go_version", "goVersion"],
  ["major", "major"],
  ["minor", "minor"],
  ["platform", "platform"],
];

/** Until 1.18, the labels are the names of the fields. */
function buildLabels(info: JsonObject, since: Since): string {
  const labels = buildFields.map(([label, field]) => `${since("1.19") ? label : field}="${info[field]}"`);
  return labels.join(",");
}

/** Features that are generally available have no stage (component-base, featuregate/feature_gate.go). */
const stageLabels: { readonly [stage in GateStage["stage"]]: string } = {
  Alpha: "ALPHA",
  Beta: "BETA",
  GA: "",
  Deprecated: "DEPRECATED",
};

/** Gates that change nothing here are as the release has them by default. */
function features({ catalog, gates }: EndpointEnvironment): Samples {
  const stages = [...gateStages(catalog.version)];
  return new Map(
    stages.map(([name, { stage, isOn }]) => {
      const isEnabled = effectiveGates.has(name) ? gates.isEnabled(name) : isOn;
      return [`name="${name}",stage="${stageLabels[stage]}"`, isEnabled ? 1 : 0];
    }),
  );
}
