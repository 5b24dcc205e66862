import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { textAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { toJson } from "../../apimachinery/to-json.ts";
import { parseYaml } from "../../codec/yaml/yaml.ts";
import type { Stage, StageSource } from "./stage.ts";
import { StageFields } from "./stage-fields.ts";
import { stageSelector } from "./stage-selector.ts";
import { stageSteps } from "./stage-steps.ts";
import { stageDelay, stageWeight } from "./stage-values.ts";

const apiVersion = "kwok.x-k8s.io/v1alpha1";

const specFields = [
  "resourceRef",
  "selector",
  "weight",
  "weightFrom",
  "delay",
  "next",
  "steps",
  "immediateNextStage",
];

/**
 * Reads Stages of KWOK. Objects of other kinds in the same text, such as the kustomizations of a directory, are left out.
 * @throws {Error} that names the stage and the field, for what cannot be played, and if the cluster has no part that plays stages
 */
export function readStages(source: StageSource, parts: readonly string[] = ["kubelets"]): readonly Stage[] {
  if (!parts.includes("kubelets"))
    throw new Error(
      'stages: a cluster plays them with the part "kubelets": createCluster({ simulate: true }), or --simulate',
    );
  const sources: readonly unknown[] = Array.isArray(source) ? source : [source];
  const stages = sources.flatMap((one) =>
    (typeof one === "string" ? documentsOf(one) : [toJson(one)]).flatMap(stagesOf),
  );
  if (stages.length === 0) throw new Error(`stages: no object of kind Stage of ${apiVersion}`);
  return stages;
}

/** Of each name of a kind, the latest stage counts. */
export function latestStages(all: readonly (readonly Stage[])[]): readonly Stage[] {
  const byName = new Map(
    all.flat().map((stage) => [`${stage.apiVersion}/${stage.kind}/${stage.name}`, stage]),
  );
  return [...byName.values()];
}

/** The documents of a YAML stream. JSON is YAML. */
function documentsOf(text: string): readonly (JsonValue | undefined)[] {
  return text.split(/^---(?:[ \t].*)?$/m).map((document, index) => {
    try {
      return parseYaml(document);
    } catch (error) {
      throw new Error(`stages: document ${index + 1}: ${messageOf(error)}`);
    }
  });
}

function stagesOf(value: JsonValue | undefined): readonly Stage[] {
  // A document without content.
  if (value === null) return [];
  if (!isJsonObject(value))
    throw new Error("stages: must be text, an object of kind Stage, or a list of those");
  const { kind, items, apiVersion: version = "" } = value;
  if (Array.isArray(items)) return items.flatMap(stagesOf);
  if (kind !== "Stage") return [];
  if (version !== apiVersion)
    throw new Error(
      `stages: apiVersion ${JSON.stringify(version)} is not supported; supported: ${apiVersion}`,
    );
  return [stageOf(value)];
}

function stageOf(object: JsonObject): Stage {
  const name = textAt(object, "metadata", "name");
  if (name === "") throw new Error("stages: metadata.name: must be set");
  const path = `stages: Stage ${JSON.stringify(name)}`;
  const stage = new StageFields(object, path, ["apiVersion", "kind", "metadata", "spec", "status"]);
  const spec = stage.object("spec", specFields);
  if (spec === undefined) throw new Error(`${stage.at("spec")}: must be set`);
  const reference = spec.object("resourceRef", ["apiGroup", "kind"]);
  const kind = reference?.text("kind") ?? "";
  if (kind === "") throw new Error(`${spec.at("resourceRef")}.kind: must be set`);
  // The next stage is matched at once anyway: the cluster tells of each change before anything else happens.
  spec.truth("immediateNextStage");
  return {
    name,
    apiVersion: reference?.text("apiGroup", "v1") ?? "v1",
    kind,
    selects: stageSelector(spec),
    weight: stageWeight(spec),
    delay: stageDelay(spec),
    steps: stageSteps(spec, kind),
  };
}
