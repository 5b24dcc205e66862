import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaulted } from "../../test/registry/defaulted.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from "../apimachinery/json.ts";
import { parseJson } from "../codec/json/json.ts";

/*
 * Compares the response of a real server to a POST with the sent object after defaulting. Paths that other code fills
 * in are omitted on both sides. `*` matches every item of a list, `[name^=x]` the items whose name starts with `x`.
 */

/** Identity, bookkeeping, and fields from the URL. */
const systemFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "metadata.resourceVersion",
  "metadata.generation",
  "metadata.creationTimestamp",
  "metadata.managedFields",
];

/** By kind, and by exchange where it would hide too much of the others. */
const notDefaulting: { readonly [kind: string]: readonly string[] } = {
  Namespace: [
    // The strategy's label and finalizer.
    "metadata.labels",
    "spec.finalizers",
  ],
  // The count of templates is an annotation.
  DaemonSet: ["metadata.annotations"],
  Pod: [
    // Fields of features that are off.
    "spec.hostUsers",
    "spec.containers.*.securityContext.procMount",
    // Admission: priority, service account, tolerations.
    "spec.priorityClassName",
    "spec.priority",
    "spec.preemptionPolicy",
    "spec.serviceAccountName",
    "spec.serviceAccount",
    "spec.tolerations[key^=node.kubernetes.io/]",
    "spec.volumes[name^=kube-api-access-]",
    "spec.containers.*.volumeMounts[name^=kube-api-access-]",
    "spec.initContainers.*.volumeMounts[name^=kube-api-access-]",
    "status",
  ],
  Service: [
    "spec.clusterIP",
    "spec.clusterIPs",
    "spec.ipFamilies",
    "spec.ipFamilyPolicy",
    "spec.healthCheckNodePort",
    "spec.ports.*.nodePort",
  ],
  Job: ["metadata.labels", "spec.selector", "spec.template.metadata.labels"],
  // Conversion merges stringData into data.
  Secret: ["data", "stringData"],
  Node: [
    // Conversion mirrors podCIDR, drops what is gone; admission taints.
    "spec.podCIDRs",
    "spec.configSource",
    "spec.taints",
  ],
  PersistentVolume: ["metadata.finalizers", "status.lastPhaseTransitionTime"],
  PersistentVolumeClaim: ["metadata.finalizers", "spec.storageClassName"],
  Ingress: ["spec.ingressClassName"],
  // LimitRanger.
  "kinds 353": ["metadata.annotations", "spec.containers.*.resources"],
  "crud 41": ["metadata.deletionGracePeriodSeconds", "metadata.deletionTimestamp", "metadata.selfLink"],
  "crud 116": ["metadata.ownerReferences"],
};

interface Creation {
  /** Which exchange: `kinds 353`. */
  readonly exchange: string;
  readonly title: string;
  /** `apps/v1/Deployment` */
  readonly kind: string;
  readonly sent: JsonObject;
  readonly answered: JsonObject;
}

/** The POSTs of a transcript that were answered with an object of the kind that was sent. */
function creations(area: string): Creation[] {
  const lines = readFileSync(`test/conformance/golden/${area}.jsonl`, "utf8").trim().split("\n");
  return lines.flatMap((line) => {
    const exchange = parseJson(line);
    const { n, note, req, res } = isJsonObject(exchange) ? exchange : {};
    if (!isJsonObject(req) || !isJsonObject(res) || req["method"] !== "POST" || res["status"] !== 201)
      return [];
    const { body: sent } = req;
    const { body: answered } = res;
    if (!isJsonObject(sent) || !isJsonObject(answered) || answered["kind"] === "Status") return [];
    const kind = `${answered["apiVersion"]}/${answered["kind"]}`;
    return [{ exchange: `${area} ${n}`, title: `${n} ${kind}: ${note}`, kind, sent, answered }];
  });
}

describe.each(["kinds", "crud", "patch", "podsecurity", "apply"])("%s", (area) => {
  test.each(creations(area).map((creation) => [creation.title, creation] as const))("%s", (_, creation) => {
    const { exchange, kind, sent, answered } = creation;
    const name = kind.slice(kind.lastIndexOf("/") + 1);
    const ignored = [...systemFields, ...(notDefaulting[name] ?? []), ...(notDefaulting[exchange] ?? [])];
    expect(without(defaulted(kind, sent), ignored)).toEqual(without(answered, ignored));
  });
});

/** A copy without these paths, and without lists that became empty by that. */
function without(object: JsonObject, paths: readonly string[]): JsonValue {
  return paths.reduce<JsonValue>((rest, path) => removed(rest, stepsOf(path)), object);
}

type Step = { readonly field: string } | "*" | { readonly key: string; readonly prefix: string };

function stepsOf(path: string): readonly Step[] {
  return path.match(/\[[^\]]*\]|[^.[]+/g)?.map(stepOf) ?? [];
}

function stepOf(text: string): Step {
  if (text === "*") return "*";
  const [, key = "", prefix = ""] = /^\[(.*)\^=(.*)\]$/.exec(text) ?? [];
  return key === "" ? { field: text } : { key, prefix };
}

function removed(value: JsonValue, [step, ...rest]: readonly Step[]): JsonValue {
  if (step === undefined) return value;
  if (step === "*") return Array.isArray(value) ? value.map((item: JsonValue) => removed(item, rest)) : value;
  if ("key" in step) {
    return Array.isArray(value)
      ? value.filter((item) => !isJsonObject(item) || !String(item[step.key]).startsWith(step.prefix))
      : value;
  }
  const inner = isJsonObject(value) ? value[step.field] : undefined;
  if (!isJsonObject(value) || inner === undefined) return value;
  const copy: MutableJsonObject = { ...value };
  const left = removed(inner, rest);
  if (rest.length === 0 || (Array.isArray(left) && left.length === 0)) delete copy[step.field];
  else copy[step.field] = left;
  return copy;
}
