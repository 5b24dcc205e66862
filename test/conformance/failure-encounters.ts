import type * as presets from "../../src/scenario/presets.ts";
import type { Failure } from "./failure.ts";
import type { FailureWorld, Watching } from "./failure-world.ts";

export const watchBegin = ["ADDED a", "ADDED b", "ADDED c"];
export const streaming = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
export const create = (name: string) => ({
  method: "POST",
  headers: [["content-type", "application/json"]] as const,
  body: Buffer.from(JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } })),
});
export const patch = {
  method: "PATCH",
  headers: [["content-type", "application/merge-patch+json"]] as const,
  body: Buffer.from('{"data":{"changed":"yes"}}'),
};

/** A request that fails, and the same request again. */
export function requesting(
  scenario: () => presets.Scenario,
  path: string,
  sent: Parameters<FailureWorld["ask"]>[1] = {},
): Failure["meet"] {
  return async (world) => {
    world.inject(scenario());
    return [await world.ask(path, sent), await world.ask(path, sent)];
  };
}

/** A watch from the beginning: `events` of its events, and the next one after an object is created. */
export function watching(
  scenario: () => presets.Scenario,
  events: number,
  query = "resourceVersion=0",
): Failure["meet"] {
  return async (world) => {
    world.inject(scenario());
    const watch = await world.watch(query);
    if (watch.status !== 200) return [String(watch.status)];
    return [...(await take(watch, events)), await nextIfAny(world, watch)];
  };
}

export async function take(watch: Watching, count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let n = 0; n < count; n++) seen.push(await watch.next());
  return seen;
}

/** The event of an object that is created now; `silent` if none arrives. */
export async function nextIfAny(world: FailureWorld, watch: Watching): Promise<string> {
  const next = watch.next();
  await world.create("late");
  await world.eventsHaveCome();
  return Promise.race([next, Promise.resolve("silent")]);
}

export async function ofPieces(
  { inject, watch }: Pick<FailureWorld, "inject" | "watch">,
  scenario: presets.Scenario,
  measure: (text: string) => number,
): Promise<readonly string[]> {
  inject(scenario);
  const struck = await watch("resourceVersion=0");
  const measures = new Set<number>();
  let text = "";
  while (text.split("\n").length < 3) {
    const piece = Buffer.from((await struck.piece()) ?? "").toString("latin1");
    measures.add(measure(piece));
    text += piece;
  }
  return [...measures].map(String);
}

/** The methods of a world, bound to it. */
export function bound(world: FailureWorld): Pick<FailureWorld, "inject" | "watch"> {
  return { inject: (scenario) => world.inject(scenario), watch: (query) => world.watch(query) };
}
