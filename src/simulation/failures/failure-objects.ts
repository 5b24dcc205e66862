import type { JsonObject } from "../../apimachinery/json.ts";
import { isFinishedPod } from "../../kinds/core/pod/finished-pod.ts";
import type { ClusterFailures } from "../contract/cluster-failures.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";

const pods = { group: "", resource: "pods" };

type Failure = ClusterFailures["current"][number]["failure"];

/** The object whose existence is the failure; undefined for failures of nodes and images. The suffix tells objects of several failures apart. */
export function failureObject(
  failure: Failure,
  suffix: string,
  environment: SimulationEnvironment,
): JsonObject | undefined {
  switch (failure.type) {
    case "drainBlocked":
      return disruptionBudget(failure, `drain-blocked${suffix}`, environment);
    case "quotaUsedUp":
      return quota(failure.namespace, `quota-used-up${suffix}`, environment);
    case "podWebhookDown":
      return webhookConfiguration(failure.labels, `pod-webhook-down${suffix}`);
    default:
      return undefined;
  }
}

function disruptionBudget(
  { namespace, labels }: Extract<Failure, { type: "drainBlocked" }>,
  name: string,
  { gates }: SimulationEnvironment,
): JsonObject {
  const isV1 = gates.since("1.21");
  // In v1beta1, an empty selector selects no pods.
  const all = isV1 ? {} : { matchExpressions: [{ key: "none.example.com", operator: "DoesNotExist" }] };
  const selector = Object.keys(labels).length === 0 ? all : { matchLabels: labels };
  return {
    apiVersion: isV1 ? "policy/v1" : "policy/v1beta1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace },
    spec: { maxUnavailable: 0, selector },
  };
}

/** Pods that have ended do not count (pkg/quota/v1/evaluator/core/pods.go). */
function quota(namespace: string, name: string, { lister }: SimulationEnvironment): JsonObject {
  const used = lister.list(pods, namespace).filter((pod) => !isFinishedPod(pod)).length;
  return {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name, namespace },
    spec: { hard: { pods: String(used) } },
  };
}

function webhookConfiguration(labels: { readonly [label: string]: string }, name: string): JsonObject {
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] };
  const service = { namespace: "default", name };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        rules: [rule],
        objectSelector: { matchLabels: labels },
        failurePolicy: "Fail",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        clientConfig: { service },
      },
    ],
  };
}
