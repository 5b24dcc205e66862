import { notFound, plainError } from "../../apimachinery/errors/errors.ts";
import { listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, jsonEqual, shallowCopy } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import { jsonSyntaxError } from "../../codec/json/go-json-error.ts";
import { parseJson } from "../../codec/json/json.ts";
import { qualityOfService } from "../../kinds/core/pod/pod-quality-of-service.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../contract/admission.ts";
import { isAbout } from "../contract/attributes.ts";

const defaults = "scheduler.alpha.kubernetes.io/defaultTolerations";
const whitelist = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
const memoryPressure = {
  key: "node.kubernetes.io/memory-pressure",
  operator: "Exists",
  effect: "NoSchedule",
};

/** The configuration of the plugin, for namespaces without the annotations. */
export interface TolerationLists {
  readonly default?: readonly JsonObject[];
  readonly whitelist?: readonly JsonObject[];
}

/** Adds the tolerations of the namespace to pods, and checks them against its list. Upstream: plugin/pkg/admission/podtolerationrestriction. */
export function podTolerationRestriction(lister: Lister, configured: TolerationLists): AdmissionPlugin {
  const validate = (attributes: AdmissionAttributes): void => {
    const { object, namespace } = attributes;
    if (object === undefined || !isAbout(attributes, "", "pods")) return;
    const tolerations = listAt(object, "spec", "tolerations");
    if (tolerations.length === 0) return;
    const allowed = annotated(lister, namespace, whitelist) ?? configured.whitelist ?? [];
    const isAllowed = (one: JsonObject) => allowed.some((other) => covers(other, one));
    if (allowed.length === 0 || tolerations.every(isAllowed)) return;
    const problem =
      "pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist";
    throw plainError(500, problem);
  };
  return {
    name: "PodTolerationRestriction",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    admit: (attributes) => {
      const { object, namespace, operation } = attributes;
      if (object === undefined || !isAbout(attributes, "", "pods")) return;
      const ofNamespace =
        operation === "CREATE" ? (annotated(lister, namespace, defaults) ?? configured.default ?? []) : [];
      const added =
        qualityOfService(structAt(object, "spec")) !== "BestEffort"
          ? [...ofNamespace, memoryPressure]
          : ofNamespace;
      if (added.length > 0) {
        const spec = structAt(object, "spec");
        const tolerations = merged([...listAt(spec, "tolerations"), ...added]);
        object["spec"] = { ...shallowCopy(spec), tolerations };
      }
      validate(attributes);
    },
    validate,
  };
}

/** The tolerations in an annotation of the namespace; undefined without it. @throws {StatusError} */
function annotated(lister: Lister, name: string, annotation: string): readonly JsonObject[] | undefined {
  const namespace = lister.get({ group: "", resource: "namespaces" }, "", name);
  if (namespace === undefined) throw notFound({ group: "", resource: "namespaces" }, name);
  const text = namespace.metadata.annotations?.[annotation] ?? "";
  if (text === "") return undefined;
  const problem = jsonSyntaxError(new TextEncoder().encode(text));
  if (problem !== undefined) throw plainError(500, problem);
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

/** Without those that another one covers; of equal ones the first stays. */
function merged(all: readonly JsonObject[]): readonly JsonObject[] {
  const kept: JsonObject[] = [];
  for (const [i, one] of all.entries()) {
    if (kept.some((other) => covers(other, one))) continue;
    if (all.slice(i + 1).some((other) => !jsonEqual(one, other) && covers(other, one))) continue;
    kept.push(one);
  }
  return kept;
}

/** Whether a toleration covers all that another one does. Upstream: kubernetes, pkg/util/tolerations. */
function covers(wide: JsonObject, one: JsonObject): boolean {
  if (jsonEqual(wide, one)) return true;
  const [key, effect, operator] = ["key", "effect", "operator"].map((field) => textAt(wide, field));
  if (textAt(one, "key") !== key && !(key === "" && operator === "Exists")) return false;
  if (textAt(one, "effect") !== effect && effect !== "") return false;
  if (textAt(one, "effect") === "NoExecute" && isShorter(wide, one)) return false;
  if (operator === "Exists") return true;
  const isEqual = ["", "Equal"].includes(textAt(one, "operator")) && ["", "Equal"].includes(operator ?? "");
  return isEqual && textAt(one, "value") === textAt(wide, "value");
}

function isShorter({ tolerationSeconds: wide }: JsonObject, { tolerationSeconds: one }: JsonObject): boolean {
  if (typeof wide !== "number") return false;
  return typeof one !== "number" || one > wide;
}
