import { integerAt, numberAt, objectAt, sizeAt, textAt, textOr, valueAt } from "../../apimachinery/fields.ts";
import { humanDuration } from "../../apimachinery/go/human-duration.ts";
import { formatGroupKind, parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableObjectMeta, ObjectMeta } from "../../apimachinery/object-meta.ts";
import {
  formatLabelSelectorObject,
  labelSelectorFromObject,
} from "../../apimachinery/selectors/label-selector-object.ts";
import { timeMilliseconds } from "../../apimachinery/time.ts";
import {
  ageOf,
  conditionOf,
  containerCells,
  formatLabels,
  nameOf,
  timeSince,
} from "../../codec/tables/cell-text.ts";
import type { GroupPrinters } from "../../codec/tables/printer.ts";

/** The annotation that stands for a field of extensions/v1beta1, and is made anew whenever a DaemonSet is written out. */
const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

export const appsPrinters: GroupPrinters = {
  deployments: {
    cells: (object, now) => [
      nameOf(object),
      `${numberAt(object, "status", "readyReplicas")}/${numberAt(object, "spec", "replicas")}`,
      integerAt(object, "status", "updatedReplicas"),
      integerAt(object, "status", "availableReplicas"),
      ageOf(object, now),
      ...containerCells(object, "spec", "template"),
      // Deployments alone print a selector that selects everything as nothing.
      labelSelectorFromObject(valueAt(object, "spec", "selector")).text,
    ],
  },
  replicasets: {
    cells: (object, now) => [
      nameOf(object),
      integerAt(object, "spec", "replicas"),
      integerAt(object, "status", "replicas"),
      integerAt(object, "status", "readyReplicas"),
      ageOf(object, now),
      ...containerCells(object, "spec", "template"),
      formatLabelSelectorObject(valueAt(object, "spec", "selector")),
    ],
  },
  statefulsets: {
    cells: (object, now) => [
      nameOf(object),
      `${numberAt(object, "status", "readyReplicas")}/${numberAt(object, "spec", "replicas")}`,
      ageOf(object, now),
      ...containerCells(object, "spec", "template"),
    ],
  },
  daemonsets: {
    cells: (object, now) => [
      nameOf(object),
      integerAt(object, "status", "desiredNumberScheduled"),
      integerAt(object, "status", "currentNumberScheduled"),
      integerAt(object, "status", "numberReady"),
      integerAt(object, "status", "updatedNumberScheduled"),
      integerAt(object, "status", "numberAvailable"),
      formatLabels(objectAt(object, "spec", "template", "spec", "nodeSelector")),
      ageOf(object, now),
      ...containerCells(object, "spec", "template"),
      formatLabelSelectorObject(valueAt(object, "spec", "selector")),
    ],
    metadata: withoutTemplateGeneration,
  },
  controllerrevisions: {
    cells: (object, now) => [
      nameOf(object),
      controllerText(object),
      integerAt(object, "revision"),
      ageOf(object, now),
    ],
  },
};

export const batchPrinters: GroupPrinters = {
  jobs: {
    cells: (object, now) => [
      nameOf(object),
      jobStatus(object),
      jobCompletions(object),
      jobDuration(object, now),
      ageOf(object, now),
      ...containerCells(object, "spec", "template"),
      formatLabelSelectorObject(valueAt(object, "spec", "selector")),
    ],
  },
  cronjobs: {
    cells: (object, now) => [
      nameOf(object),
      textAt(object, "spec", "schedule"),
      textOr("<none>", object, "spec", "timeZone"),
      suspension(object),
      sizeAt(object, "status", "active"),
      lastSchedule(object, now),
      ageOf(object, now),
      ...containerCells(object, "spec", "jobTemplate", "spec", "template"),
      formatLabelSelectorObject(valueAt(object, "spec", "jobTemplate", "spec", "selector")),
    ],
  },
};

function withoutTemplateGeneration({ metadata }: KubeObject): ObjectMeta {
  if (metadata.annotations?.[TEMPLATE_GENERATION] === undefined) return metadata;
  const { [TEMPLATE_GENERATION]: _, ...annotations } = metadata.annotations;
  const copy: MutableObjectMeta = { ...metadata, annotations };
  if (Object.keys(annotations).length === 0) delete copy.annotations;
  return copy;
}

/** `deployment.apps/web`, of the owner that controls the object. */
function controllerText(object: KubeObject): string {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return "<none>";
  const { group } = parseGroupVersion(owner.apiVersion) ?? { group: "" };
  return `${formatGroupKind({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
}

function jobStatus(job: KubeObject): string {
  const has = (type: string): boolean => conditionOf(job, type)?.status === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp) return "Terminating";
  if (has("Suspended")) return "Suspended";
  if (has("FailureTarget")) return "FailureTarget";
  return has("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}

function jobCompletions(job: KubeObject): string {
  const succeeded = numberAt(job, "status", "succeeded");
  const completions = valueAt(job, "spec", "completions");
  if (typeof completions === "number") return `${succeeded}/${completions}`;
  const parallelism = numberAt(job, "spec", "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: KubeObject, now: number): string {
  const started = timeMilliseconds(textAt(job, "status", "startTime"));
  if (Number.isNaN(started)) return "";
  const completed = timeMilliseconds(textAt(job, "status", "completionTime"));
  return humanDuration((Number.isNaN(completed) ? now : completed) - started);
}

function suspension(cronJob: KubeObject): string {
  const suspend = valueAt(cronJob, "spec", "suspend");
  if (typeof suspend !== "boolean") return "<unset>";
  return suspend ? "True" : "False";
}

function lastSchedule(cronJob: KubeObject, now: number): string {
  const time = valueAt(cronJob, "status", "lastScheduleTime");
  return typeof time === "string" ? timeSince(time, now) : "<none>";
}
