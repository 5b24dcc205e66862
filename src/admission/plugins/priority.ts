import { numberAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { type MutableJsonObject, shallowCopy } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionAttributes, AdmissionPlugin, MutatingAttributes } from "../contract/admission.ts";
import { isAbout, refused } from "../contract/attributes.ts";

const group = "scheduling.k8s.io";
const classes = { group, resource: "priorityclasses" };
const defaultPolicy = "PreemptLowerPriority";

/** Resolves the name of a priority class to a number, and allows at most one default class. */
export function priority(lister: Lister): AdmissionPlugin {
  return {
    name: "Priority",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    admit: (attributes) => {
      const { object } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods")) return;
      if (attributes.operation === "CREATE") admitPod(lister, attributes, object);
      else keepPriority(object, attributes.oldObject);
    },
    validate: (attributes) => {
      if (isAbout(attributes, group, "priorityclasses")) checkOnlyDefault(lister, attributes);
    },
  };
}

function admitPod(lister: Lister, attributes: MutatingAttributes, pod: MutableKubeObject): void {
  const spec = structAt(pod, "spec");
  const wanted = textAt(spec, "priorityClassName");
  const found = wanted === "" ? defaultClass(lister) : lister.get(classes, "", wanted);
  if (wanted !== "" && found === undefined) {
    throw refused(attributes, `no PriorityClass with name ${wanted} was found`);
  }
  const value = found === undefined ? 0 : numberAt(found, "value");
  const policy = (found && textAt(found, "preemptionPolicy")) || defaultPolicy;
  const sent = spec["priority"];
  if (sent !== undefined && sent !== value) {
    throw refused(
      attributes,
      `the integer value of priority (${sent}) must not be provided in pod spec; priority admission controller ` +
        `computed ${value} from the given PriorityClass name`,
    );
  }
  const sentPolicy = textAt(spec, "preemptionPolicy");
  if (sentPolicy !== "" && sentPolicy !== policy) {
    throw refused(
      attributes,
      `the string value of PreemptionPolicy (${sentPolicy}) must not be provided in pod spec; priority admission ` +
        `controller computed ${policy} from the given PriorityClass name`,
    );
  }
  const name = found?.metadata.name;
  const changed: MutableJsonObject = shallowCopy(spec);
  if (name !== undefined) changed["priorityClassName"] = name;
  changed["priority"] = value;
  changed["preemptionPolicy"] = policy;
  pod["spec"] = changed;
}

/** An update without the computed fields keeps their values. */
function keepPriority(pod: MutableKubeObject, old: KubeObject | undefined): void {
  if (old === undefined) return;
  const spec = structAt(pod, "spec");
  const { priority: value, preemptionPolicy: policy } = structAt(old, "spec");
  const needsValue = spec["priority"] === undefined && value !== undefined;
  const needsPolicy = spec["preemptionPolicy"] === undefined && policy !== undefined;
  if (!needsValue && !needsPolicy) return;
  const changed: MutableJsonObject = shallowCopy(spec);
  if (needsValue) changed["priority"] = value;
  if (needsPolicy) changed["preemptionPolicy"] = policy;
  pod["spec"] = changed;
}

/** Of several default classes, the one with the lowest value wins. */
function defaultClass(lister: Lister): KubeObject | undefined {
  return lister
    .list(classes, "")
    .filter((candidate) => candidate["globalDefault"] === true)
    .toSorted((a, b) => numberAt(a, "value") - numberAt(b, "value"))
    .at(0);
}

function checkOnlyDefault(lister: Lister, attributes: AdmissionAttributes): void {
  const { object } = attributes;
  if (object?.["globalDefault"] !== true) return;
  const other = lister
    .list(classes, "")
    .find(
      (candidate) => candidate["globalDefault"] === true && candidate.metadata.name !== object.metadata.name,
    );
  if (other === undefined) return;
  const name = other.metadata.name ?? "";
  throw refused(attributes, `PriorityClass ${name} is already marked as default. Only one default can exist`);
}
