import { textAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { parseYaml } from "../../codec/yaml/yaml.ts";
import type { StageApply, StageManifest, StagePatch, StageStep } from "./stage.ts";
import type { StageFields } from "./stage-fields.ts";
import { goTemplate } from "./template/go-template.ts";

const patchFields = ["subresource", "root", "template", "type", "impersonation"];
const nextFields = [
  "event",
  "finalizers",
  "delete",
  "patches",
  "statusTemplate",
  "statusSubresource",
  "statusPatchAs",
];
const stepFields = ["patch", "event", "finalizers", "delete", "apply"];
const applyFields = ["subresource", "template", "type", "impersonation"];
const applyTypes = ["apply", "merge", "strategic"] as const;
const patchTypes = ["json", "merge", "strategic"] as const;

/** What a stage does, in this order: its steps, or what `next` of older versions says (KWOK, pkg/apis/internalversion/conversion.go). */
export function stageSteps(spec: StageFields, kind: string): readonly StageStep[] {
  const steps = spec.objects("steps", stepFields);
  if (steps.length > 0)
    return steps.flatMap((step) => [
      ...eventStep(step),
      ...finalizersStep(step),
      ...(step.truth("delete") ? [deletion] : patchStep(step.object("patch", patchFields), kind)),
      ...applyStep(step.object("apply", applyFields)),
    ]);
  const next = spec.object("next", nextFields);
  if (next === undefined) return [];
  const patches = next.objects("patches", patchFields).flatMap((patch) => patchStep(patch, kind));
  return [
    ...eventStep(next),
    ...finalizersStep(next),
    ...(patches.length > 0 ? patches : statusStep(next, kind)),
    ...(next.truth("delete") ? [deletion] : []),
  ];
}

const deletion: StageStep = { type: "delete" };

function eventStep(step: StageFields): readonly StageStep[] {
  const event = step.object("event", ["type", "reason", "message"]);
  if (event === undefined) return [];
  const type = event.choice("type", ["Normal", "Warning"], "Normal");
  return [{ type: "event", event: { type, reason: event.text("reason"), message: event.text("message") } }];
}

/** What is empty or removed goes first, then comes what is added (KWOK, pkg/utils/lifecycle/finalizers.go). */
function finalizersStep(step: StageFields): readonly StageStep[] {
  const finalizers = step.object("finalizers", ["add", "remove", "empty"]);
  if (finalizers === undefined) return [];
  const values = (name: string) => finalizers.objects(name, ["value"]).map((item) => item.text("value"));
  const [added, removed, isEmptied] = [values("add"), values("remove"), finalizers.truth("empty")];
  const changed = (known: readonly string[]) => {
    const kept = isEmptied ? [] : known.filter((finalizer) => !removed.includes(finalizer));
    return [...new Set([...kept, ...added])];
  };
  return [{ type: "finalizers", changed }];
}

function statusStep(next: StageFields, kind: string): readonly StageStep[] {
  if (next.text("statusTemplate") === "") return [];
  const patchOf = rendering(next, "statusTemplate", "status", "merge");
  const subresource = next.text("statusSubresource", "status");
  return [
    {
      type: "patch",
      patch: { type: mergeOf(kind), subresource, user: userOf(next, "statusPatchAs"), patchOf },
    },
  ];
}

function patchStep(patch: StageFields | undefined, kind: string): readonly StageStep[] {
  if (patch === undefined) return [];
  const type = patch.choice("type", patchTypes, mergeOf(kind));
  const patchOf = rendering(patch, "template", patch.text("root"), type);
  const user = userOf(patch, "impersonation");
  return [{ type: "patch", patch: { type, subresource: patch.text("subresource"), user, patchOf } }];
}

function applyStep(apply: StageFields | undefined): readonly StageStep[] {
  if (apply === undefined) return [];
  const type = apply.choice("type", applyTypes, "apply");
  const template = apply.within("template", () => goTemplate(apply.text("template")));
  const manifestOf: StageApply["manifestOf"] = (object, functions) => {
    const manifest = parseYaml(template(object, functions));
    if (!isManifest(manifest))
      throw new Error(
        "the template of what is applied must write an object with its apiVersion, kind and name",
      );
    return manifest;
  };
  const user = userOf(apply, "impersonation");
  return [{ type: "apply", apply: { type, subresource: apply.text("subresource"), user, manifestOf } }];
}

function isManifest(value: JsonValue): value is StageManifest {
  return (
    isJsonObject(value) &&
    textAt(value, "apiVersion") !== "" &&
    textAt(value, "kind") !== "" &&
    textAt(value, "metadata", "name") !== ""
  );
}

/** Pods and nodes have typed clients in KWOK, which know how lists are merged. */
function mergeOf(kind: string): StagePatch["type"] {
  return kind === "Pod" || kind === "Node" ? "strategic" : "merge";
}

function userOf(fields: StageFields, name: string): string | undefined {
  return fields.object(name, ["username"])?.text("username") || undefined;
}

/** What the template writes as YAML, below the root. */
function rendering(
  fields: StageFields,
  name: string,
  root: string,
  type: StagePatch["type"],
): StagePatch["patchOf"] {
  const template = fields.within(name, () => goTemplate(fields.text(name)));
  return (object, functions) => {
    const patch = parseYaml(template(object, functions));
    if (type !== "json") return root === "" ? patch : { [root]: patch };
    if (!Array.isArray(patch)) throw new Error("the template of a JSON patch must write a list");
    return root === "" ? patch : patch.map((operation: JsonValue) => below(root, operation));
  };
}

function below(root: string, operation: JsonValue): JsonValue {
  if (!isJsonObject(operation)) return operation;
  const { path } = operation;
  return { ...operation, path: `/${root}${typeof path === "string" ? path : ""}` };
}
