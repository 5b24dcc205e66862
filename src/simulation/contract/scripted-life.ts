import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type ContainerExit, lifeCheck, type PodLife, type PodSelector } from "../../scenario/pod-life.ts";

/** The part that a container plays in its pod. */
export type ContainerRole = "init" | "sidecar" | "regular" | "ephemeral";

/** A script in effect. */
export interface LifeScript {
  readonly id: number;
  readonly selector: PodSelector;
  readonly life: PodLife;
}

/** The scripts in effect, the latest first. */
export interface LifeScripts {
  readonly current: readonly LifeScript[];
}

/** How a container lives. */
export type ContainerLife = Omit<PodLife, "exit"> & {
  /** How it ends by itself; undefined if it stays. */
  readonly exit: ContainerExit | undefined;
};

/** The run of a container that is to end because its input has: that of a client that was attached. Made by `inputEnd`. */
interface InputEnd extends PodLife {
  readonly run: { readonly uid: string; readonly container: string; readonly restarts: number };
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** A script for one run of a container that reads from stdin, where nothing else says how it lives. */
export function inputEnd(run: InputEnd["run"], at: number): InputEnd {
  return Object.assign({ name: "inputEnd", run, at }, { [lifeCheck]: () => undefined });
}

const done: ContainerExit = { exitCode: 0, reason: "Completed", after: 0 };

/**
 * The life of a container. Without a script, init containers end at once, and so do those of pods that do not restart always, such as
 * those of Jobs, unless they read from stdin; all others stay. Those that read from stdin end with their input. `run` is the present
 * one, if there is one.
 */
export function lifeOf(
  scripts: LifeScripts,
  pod: KubeObject,
  container: JsonObject,
  role: ContainerRole,
  run?: { readonly restarts: number; readonly startedAt: number },
): ContainerLife {
  const script = scripts.current.find(
    ({ selector, life }) =>
      !isInputEnd(life) && matchesPod(selector, pod) && matchesContainer(selector, container, role),
  );
  if (script !== undefined) return { ...script.life, exit: script.life.exit };
  if (endsByItself(pod, container, role)) return { name: "", exit: done };
  if (run === undefined || container["stdin"] !== true) return { name: "", exit: undefined };
  const { uid } = pod.metadata;
  const ended = scripts.current
    .map(({ life }) => life)
    .filter(isInputEnd)
    .find(
      ({ run: one }) =>
        one.uid === uid && one.container === container["name"] && one.restarts === run.restarts,
    );
  return { name: "", exit: ended && { ...done, after: ended.at - run.startedAt } };
}

/** The latest script that matches any container of a pod, for what happens to the pod as a whole. */
export function scriptOf(scripts: LifeScripts, pod: KubeObject): LifeScript | undefined {
  const containers = listAt(pod, "spec", "containers");
  return scripts.current.find(
    ({ selector, life }) =>
      !isInputEnd(life) &&
      matchesPod(selector, pod) &&
      containers.some((one) => matchesContainer(selector, one, "regular")),
  );
}

function isInputEnd(life: PodLife): life is InputEnd {
  return "run" in life;
}

function endsByItself(pod: KubeObject, container: JsonObject, role: ContainerRole): boolean {
  if (role === "init") return true;
  if (role !== "regular" || textAt(pod, "spec", "restartPolicy") === "Always") return false;
  return container["stdin"] !== true;
}

function matchesPod(selector: PodSelector, pod: KubeObject): boolean {
  const { name = "", namespace = "", labels = {}, annotations = {} } = pod.metadata;
  return (
    fits(selector.name, name) &&
    fits(selector.namespace, namespace) &&
    fits(selector.node, textAt(pod, "spec", "nodeName")) &&
    hasAll(labels, selector.labels) &&
    hasAll(annotations, selector.annotations)
  );
}

/** Init containers are meant only by a selector that names a container or an image. */
function matchesContainer(selector: PodSelector, container: JsonObject, role: ContainerRole): boolean {
  const { image, container: name } = selector;
  if (role === "init" && image === undefined && name === undefined) return false;
  return fits(image, textAt(container, "image")) && fits(name, textAt(container, "name"));
}

function fits(wanted: string | RegExp | undefined, value: string): boolean {
  if (wanted === undefined) return true;
  // A pattern with the flag g or y would continue where its last match ended.
  return typeof wanted === "string" ? wanted === value : value.search(wanted) >= 0;
}

function hasAll(
  values: { readonly [key: string]: string },
  wanted: { readonly [key: string]: string } = {},
): boolean {
  return Object.entries(wanted).every(([key, value]) => values[key] === value);
}
