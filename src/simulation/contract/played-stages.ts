import { objectAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { isSimulatedNode } from "../../apimachinery/simulated-node.ts";
import type { Stage, StageApply, StagePatch, StageSet, StageStep } from "../../scenario/stages/stage.ts";
import type { ClusterFunctions } from "../../scenario/stages/template/template-functions.ts";

/** A Stage of KWOK in effect, and its parts. */
export type PlayedStage = Stage;
export type PlayedStep = StageStep;
export type PlayedPatch = StagePatch;
export type PlayedApply = StageApply;
export type TemplateFunctions = ClusterFunctions;

/** The stages in effect. */
export interface PlayedStages {
  readonly current: StageSet;
}

/** Whether stages decide about the pods of managed nodes, in place of kubelets. */
export function playsPods({ current }: PlayedStages): boolean {
  return current.stages.some(({ apiVersion, kind }) => apiVersion === "v1" && kind === "Pod");
}

/** Whether stages decide about claims of volumes, in place of the simulated provisioner. */
export function playsClaims({ current }: PlayedStages): boolean {
  return current.stages.some(
    ({ apiVersion, kind }) => apiVersion === "v1" && kind === "PersistentVolumeClaim",
  );
}

/** Whether stages are played for a node and its pods: a simulated one, or one with KWOK's annotation. */
export function isStagedNode(node: KubeObject): boolean {
  return (
    isSimulatedNode(node) || objectAt(node, "metadata", "annotations")?.["kwok.x-k8s.io/node"] === "fake"
  );
}
