import type { OwnConversion } from "../registry/contract/own-conversion.ts";
import {
  horizontalPodAutoscalerV1,
  horizontalPodAutoscalerV1ToV2beta1,
  horizontalPodAutoscalerV2,
  horizontalPodAutoscalerV2beta1,
} from "./autoscaling/horizontal-pod-autoscaler/horizontal-pod-autoscaler-conversion.ts";
import { eventConversion } from "./core/event/event-conversion.ts";
import {
  endpointSliceV1,
  endpointSliceV1beta1,
} from "./discovery/endpoint-slice/endpoint-slice-conversion.ts";
import { ingressV1, ingressV1beta1 } from "./networking/ingress/ingress-conversion.ts";
import {
  podDisruptionBudgetV1,
  podDisruptionBudgetV1beta1,
} from "./policy/pod-disruption-budget/pod-disruption-budget-conversion.ts";

/** By the stored version and the endpoint's. A new one is a file and a line. */
export const conversions: ReadonlyMap<string, OwnConversion> = new Map([
  ["v1/Event events.k8s.io/v1/Event", eventConversion],
  ["v1/Event events.k8s.io/v1beta1/Event", eventConversion],
  [slices("v1", "v1beta1"), endpointSliceV1beta1],
  [slices("v1beta1", "v1"), endpointSliceV1],
  [ingresses("v1", "networking.k8s.io/v1beta1"), ingressV1beta1],
  [ingresses("v1", "extensions/v1beta1"), ingressV1beta1],
  [ingresses("v1beta1", "networking.k8s.io/v1"), ingressV1],
  [budgets("v1", "v1beta1"), podDisruptionBudgetV1beta1],
  [budgets("v1beta1", "v1"), podDisruptionBudgetV1],
  [autoscalers("v2", "v1"), horizontalPodAutoscalerV1],
  [autoscalers("v2", "v2beta1"), horizontalPodAutoscalerV2beta1],
  [autoscalers("v1", "v2"), horizontalPodAutoscalerV2],
  [autoscalers("v1", "v2beta2"), horizontalPodAutoscalerV2],
  [autoscalers("v1", "v2beta1"), horizontalPodAutoscalerV1ToV2beta1],
]);

function budgets(stored: string, endpoint: string): string {
  const kind = (version: string) => `policy/${version}/PodDisruptionBudget`;
  return `${kind(stored)} ${kind(endpoint)}`;
}

function autoscalers(stored: string, endpoint: string): string {
  const kind = (version: string) => `autoscaling/${version}/HorizontalPodAutoscaler`;
  return `${kind(stored)} ${kind(endpoint)}`;
}

function slices(stored: string, endpoint: string): string {
  const kind = (version: string) => `discovery.k8s.io/${version}/EndpointSlice`;
  return `${kind(stored)} ${kind(endpoint)}`;
}

function ingresses(stored: string, endpoint: string): string {
  return `networking.k8s.io/${stored}/Ingress ${endpoint}/Ingress`;
}
