import { joinedWording, wordingIn } from "../../../apimachinery/errors/wording.ts";
import { integerAt, objectAt, sizeAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { dnsLabelMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { changed, keepOld, withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy, StrategyContext } from "../../../registry/contract/strategy.ts";
import { withoutDisabledProfiles } from "../../pod-spec/edits/app-armor-annotations.ts";
import { withoutDisabledFields } from "../../pod-spec/edits/pod-disabled-fields.ts";
import { podWarnings } from "../../pod-spec/warnings/pod-warnings.ts";
import { withLabelKeysApplied, withSpreadKeysApplied } from "./pod-affinity-keys.ts";
import { syncAppArmorProfiles } from "./pod-app-armor.ts";
import { withPodCondition } from "./pod-conditions.ts";
import { withResizePolicies } from "./pod-defaults.ts";
import { qualityOfService } from "./pod-quality-of-service.ts";
import { addPodUpdateErrors } from "./pod-update-validation.ts";
import { addPodErrors } from "./pod-validation.ts";

/** The strategy of pods. Upstream: pkg/registry/core/pod/strategy.go. */
export function podStrategy(base: Strategy, facts: StrategyFacts): Strategy {
  const { gates } = facts;
  return {
    // Before 1.33, the server does not set the generation of pods.
    ...(gates.since("1.33") ? withGeneration(base, changed("spec")) : base),
    validateName: dnsSubdomainName,
    prepareForCreate: (pod, context) => preparePod(pod, gates, context),
    withStorageDefaults: (pod) => resizable(pod, gates),
    validate: (errors, pod) => addPodErrors(errors, pod, gates),
    warningsOnCreate: (pod) => [...nameWarnings(pod.metadata.name ?? "", gates), ...podWarnings(pod, gates)],
    prepareForUpdate: (pod, old) => {
      keepOld(pod, old, "status");
      dropDisabledFields(pod, old, gates);
    },
    validateUpdate: (errors, pod, old) => addPodUpdateErrors(errors, pod, old, facts),
    gracePeriodSeconds: podGracePeriod,
  };
}

/** Admission may have added resources to containers, which then get resize policies. */
function resizable(pod: KubeObject, gates: FeatureGates): KubeObject {
  const spec = structAt(pod, "spec");
  const read = withResizePolicies(spec, gates);
  return read === spec ? pod : { ...pod, spec: read };
}

function preparePod(pod: MutableKubeObject, gates: FeatureGates, context: StrategyContext): void {
  dropDisabledFields(pod, undefined, gates);
  const status = { phase: "Pending", qosClass: qualityOfService(structAt(pod, "spec")) };
  const isGated = sizeAt(pod, "spec", "schedulingGates") > 0;
  pod["status"] = isGated ? withPodCondition(status, schedulingGated, context.now) : status;
  const { labels = {} } = pod.metadata;
  if (pod["spec"] !== undefined) {
    const spec = withLabelKeysApplied(structAt(pod, "spec"), labels);
    const mergesKeys = gates.isEnabled("MatchLabelKeysInPodTopologySpreadSelectorMerge");
    pod["spec"] = mergesKeys ? withSpreadKeysApplied(spec, labels) : spec;
  }
  if (gates.isEnabled("AppArmorFields")) syncAppArmorProfiles(pod, context.warn);
}

const schedulingGated = {
  type: "PodScheduled",
  status: "False",
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
} as const;

/** Drops fields of disabled features, unless the stored pod has them. */
export function dropDisabledFields(
  pod: MutableKubeObject,
  old: KubeObject | undefined,
  gates: FeatureGates,
): void {
  const spec = objectAt(pod, "spec");
  if (spec === undefined) return;
  const oldSpec = old && objectAt(old, "spec");
  pod["spec"] = withoutDisabledFields(spec, oldSpec, gates);
  const metadata = withoutDisabledProfiles(pod.metadata, old?.metadata, gates);
  if (metadata !== pod.metadata) pod.metadata = { ...metadata };
}

function nameWarnings(name: string, { since }: FeatureGates): readonly string[] {
  const messages = dnsLabelMessages(name);
  if (messages.length === 0) return [];
  const use = "this is used in the Pod's hostname, which can result in surprising behavior";
  return [
    `metadata.name: ${use}; a DNS label is recommended: [${wordingIn(since, joinedWording(messages, " "))}]`,
  ];
}

/** The requested grace period, or that of the spec; zero for a pod that has no node or has ended. */
function podGracePeriod(pod: KubeObject, requested: number | undefined): number {
  const phase = textAt(pod, "status", "phase");
  if (!textAt(pod, "spec", "nodeName") || phase === "Failed" || phase === "Succeeded") return 0;
  const seconds = requested ?? Number(integerAt(pod, "spec", "terminationGracePeriodSeconds"));
  return seconds < 0 ? 1 : seconds;
}
