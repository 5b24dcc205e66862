import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { parseGroupVersion } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity, Quantity } from "../../../apimachinery/quantity.ts";
import { goLabelSelector } from "../../../apimachinery/selectors/go-label-selector.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import type { DescribedObject, MetricQuery, MetricsSource } from "./metrics-source.ts";
import {
  type Calculation,
  type Replicas,
  replicasForAverage,
  replicasForShare,
  replicasForUtilization,
  replicasForValue,
  sumOfValues,
} from "./replica-calculator.ts";

/** What a metric is compared with. */
export interface MetricContext extends Calculation {
  readonly source: MetricsSource;
  readonly namespace: string;
  /** The selector of the target's pods, as text. */
  readonly podSelector: string;
  /** The replicas of the target's status; `current` are those of its spec. */
  readonly statusReplicas: number;
}

/** The replicas that a metric proposes. */
export interface Proposal {
  readonly replicas: number;
  /** The metric in events, such as `cpu resource utilization (percentage of request)`. */
  readonly name: string;
  /** The item of `status.currentMetrics`. */
  readonly status: JsonObject;
}

/** A metric from which no replicas can be computed. */
export class MetricError extends Error {
  /** The reason of the event and the condition, such as `FailedGetResourceMetric`. */
  readonly reason: string;
  /** The message of the event and the condition. */
  readonly problem: string;

  constructor(reason: string, problem: string, message: string) {
    super(message);
    this.reason = reason;
    this.problem = problem;
  }
}

/** A type of metrics. */
interface MetricType {
  /** The field with the source. */
  readonly field: string;
  readonly reason: string;
  readonly propose: (context: MetricContext, source: JsonObject) => Promise<Proposal>;
  /** What the error of the autoscaler says before that of the metric. */
  readonly failed: (source: JsonObject, context: MetricContext) => string;
}

const types: { readonly [type: string]: MetricType } = {
  Resource: {
    field: "resource",
    reason: "FailedGetResourceMetric",
    propose: (context, source) => proposeResource(context, source, ""),
    failed: (source, { gates }) =>
      gates.since("1.27") ? `failed to get ${textAt(source, "name")} resource metric value: ` : "",
  },
  ContainerResource: {
    field: "containerResource",
    reason: "FailedGetContainerResourceMetric",
    propose: (context, source) => proposeResource(context, source, textAt(source, "container")),
    failed: (source, { gates }) =>
      gates.since("1.27") ? `failed to get ${textAt(source, "container")} container metric value: ` : "",
  },
  Pods: {
    field: "pods",
    reason: "FailedGetPodsMetric",
    propose: proposePods,
    failed: () => "failed to get pods metric value: ",
  },
  Object: {
    field: "object",
    reason: "FailedGetObjectMetric",
    propose: proposeObject,
    failed: (source) => {
      const isShare = textAt(source, "target", "type") === "AverageValue";
      return `failed to get object metric value: ${isShare ? `failed to get ${metricIn(source)} object metric: ` : ""}`;
    },
  },
  External: {
    field: "external",
    reason: "FailedGetExternalMetric",
    propose: proposeExternal,
    failed: (source, { gates }) => {
      const metric = metricIn(source);
      const isShare = textAt(source, "target", "averageValue") !== "";
      const inner = isShare
        ? `failed to get ${metric} external metric: `
        : `failed to get external metric ${metric}: `;
      return gates.since("1.27") ? `failed to get ${metric} external metric value: ${inner}` : inner;
    },
  },
};

/**
 * The replicas that one metric of an autoscaler proposes. Upstream: `computeReplicasForMetric`
 * (pkg/controller/podautoscaler/horizontal.go).
 * @throws {MetricError} if they cannot be computed
 */
export async function proposalOf(context: MetricContext, metric: JsonObject): Promise<Proposal> {
  const name = textAt(metric, "type");
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  if (type === undefined) {
    const problem = `unknown metric source type ${JSON.stringify(name)}`;
    throw new MetricError("InvalidMetricSourceType", problem, problem);
  }
  const source = structAt(metric, type.field);
  try {
    return await type.propose(context, source);
  } catch (error) {
    const problem = messageOf(error);
    throw new MetricError(type.reason, problem, type.failed(source, context) + problem);
  }
}

async function proposeResource(
  context: MetricContext,
  source: JsonObject,
  container: string,
): Promise<Proposal> {
  const name = textAt(source, "name");
  const target = structAt(source, "target");
  const average = textAt(target, "averageValue");
  const percentage = target["averageUtilization"];
  const measured = average === "" ? "utilization" : "usage";
  const proposed = (replicas: Replicas, title: string): Proposal => {
    const { utilization, usage } = replicas;
    const averageValue = resourceAmount(context, name, usage);
    const current = { ...(utilization !== undefined && { averageUtilization: utilization }), averageValue };
    return { replicas: replicas.replicas, name: title, status: resourceStatus(name, container, current) };
  };
  if (average === "" && typeof percentage !== "number") throw new Error(noTarget(context));
  try {
    const metrics = await resourceMetrics(context, name, container);
    if (average !== "") {
      const target = parseQuantity(average).milliValue();
      return proposed(replicasForAverage(context, metrics, name, target), `${name} resource`);
    }
    const kind = container === "" ? "" : " container";
    const title = `${name}${context.gates.since("1.27") ? kind : ""} resource utilization (percentage of request)`;
    const resource = { name, container };
    return proposed(replicasForUtilization(context, metrics, resource, Number(percentage)), title);
  } catch (error) {
    const isCalled = context.gates.since("1.27") ? measured : "utilization";
    throw new Error(`failed to get ${name} ${isCalled}: ${messageOf(error)}`);
  }
}

async function resourceMetrics(
  { source, namespace, podSelector }: MetricContext,
  resource: string,
  container: string,
) {
  try {
    return await source.ofPods(namespace, podSelector, resource, container);
  } catch (error) {
    throw new Error(`unable to get metrics for resource ${resource}: ${messageOf(error)}`);
  }
}

function resourceStatus(name: string, container: string, current: JsonObject): JsonObject {
  return container === ""
    ? { type: "Resource", resource: { name, current } }
    : { type: "ContainerResource", containerResource: { name, current, container } };
}

/** Memory has binary suffixes since 1.34. */
function resourceAmount({ gates }: MetricContext, resource: string, milli: bigint): string {
  const isBinary = resource === "memory" && gates.since("1.34");
  return new Quantity(milli, -3, isBinary ? "BinarySI" : "DecimalSI").toString();
}

function noTarget({ gates }: MetricContext): string {
  return gates.since("1.27")
    ? "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set"
    : "invalid resource metric source: neither a utilization target nor a value target was set";
}

async function proposePods(context: MetricContext, source: JsonObject): Promise<Proposal> {
  const query = queryIn(source);
  const { namespace, podSelector } = context;
  const metrics = await named(`unable to get metric ${query.metric}: `, () =>
    context.source.customOfPods(namespace, podSelector, query),
  );
  const { replicas, usage } = replicasForAverage(context, metrics, "", targetIn(source, "averageValue"));
  const status = { type: "Pods", pods: { metric: identifierIn(source), current: averageValue(usage) } };
  return { replicas, name: `pods metric ${query.metric}`, status };
}

async function proposeObject(context: MetricContext, source: JsonObject): Promise<Proposal> {
  const query = queryIn(source);
  const describedObject = structAt(source, "describedObject");
  const object = describedIn(describedObject);
  const { namespace } = context;
  const type = textAt(source, "target", "type");
  const field = type === "Value" ? "value" : "averageValue";
  if (textAt(source, "target", field) === "") {
    throw new Error(
      "invalid object metric source: neither a value target nor an average value target was set",
    );
  }
  const target = targetIn(source, field);
  // Upstream names the error where its format has the name.
  const before = `unable to get metric ${query.metric}: ${object.kind} on ${namespace} ${object.name}/`;
  const value = await named(before, () => context.source.customOfObject(namespace, object, query));
  const { replicas, usage } = compared(context, field, value, target);
  const current = field === "value" ? plainValue(usage) : averageValue(usage);
  const isNamed = field === "value" || context.gates.since("1.33");
  const described = isNamed ? describedObject : { kind: "", name: "" };
  const status = {
    type: "Object",
    object: { metric: identifierIn(source), current, describedObject: described },
  };
  // Upstream calls the share of an object an external metric.
  const title =
    field === "value" ? `${object.kind} metric ${query.metric}` : externalTitle(query.metric, source);
  return { replicas, name: title, status };
}

async function proposeExternal(context: MetricContext, source: JsonObject): Promise<Proposal> {
  const query = queryIn(source);
  const { namespace } = context;
  const field = textAt(source, "target", "averageValue") === "" ? "value" : "averageValue";
  if (textAt(source, "target", field) === "") {
    throw new Error(
      "invalid external metric source: neither a value target nor an average value target was set",
    );
  }
  const selector = goLabelSelector(selectorIn(source));
  const values = await named(`unable to get external metric ${namespace}/${query.metric}/${selector}: `, () =>
    context.source.external(namespace, query),
  );
  const { replicas, usage } = compared(context, field, sumOfValues(values), targetIn(source, field));
  const current = field === "value" ? plainValue(usage) : averageValue(usage);
  const status = { type: "External", external: { metric: identifierIn(source), current } };
  return { replicas, name: externalTitle(query.metric, source), status };
}

function compared(context: MetricContext, field: string, value: bigint, target: bigint): Replicas {
  if (field === "value") return replicasForValue(context, value, target);
  return replicasForShare({ ...context, current: context.statusReplicas }, value, target);
}

function externalTitle(metric: string, source: JsonObject): string {
  return `external metric ${metric}(${goLabelSelector(selectorIn(source))})`;
}

/** Puts text before the message of an error. */
async function named<T>(before: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new Error(before + messageOf(error));
  }
}

function describedIn(reference: JsonObject): DescribedObject {
  const { group = "" } = parseGroupVersion(textAt(reference, "apiVersion")) ?? {};
  return { group, kind: textAt(reference, "kind"), name: textAt(reference, "name") };
}

function queryIn(source: JsonObject): MetricQuery {
  return { metric: metricIn(source), selector: labelSelectorFromObject(selectorIn(source)).text };
}

function metricIn(source: JsonObject): string {
  return textAt(source, "metric", "name");
}

function selectorIn(source: JsonObject): JsonObject | undefined {
  return objectAt(source, "metric", "selector");
}

function identifierIn(source: JsonObject): JsonObject {
  const selector = selectorIn(source);
  return { name: metricIn(source), ...(selector !== undefined && { selector }) };
}

function targetIn(source: JsonObject, field: string): bigint {
  return parseQuantity(textAt(source, "target", field)).milliValue();
}

function averageValue(milli: bigint): JsonObject {
  return { averageValue: new Quantity(milli, -3, "DecimalSI").toString() };
}

function plainValue(milli: bigint): JsonObject {
  return { value: new Quantity(milli, -3, "DecimalSI").toString() };
}
