import { booleanAt, listAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { ConnectedContainer } from "../registry/contract/pod-connections.ts";
import { inputEnd } from "../simulation/contract/scripted-life.ts";
import type { ContainerRun } from "../streams/logs/container-run.ts";
import { hasEnded, type LogSource } from "../streams/logs/read-log.ts";
import { ChangeSignal } from "../streams/pods/followed-pod.ts";
import type { AttachedInput } from "../streams/process.ts";
import type { ServerOptions } from "./server-options.ts";

/** What the input of a client means to a container that no script plays. */
export function attachedInput(
  target: ConnectedContainer,
  { stdin }: JsonObject,
  source: LogSource,
  config: ServerOptions["config"],
): AttachedInput {
  const container = specOf(target);
  return {
    isRead: stdin === true && booleanAt(container, "stdin"),
    isTerminal: booleanAt(container, "tty"),
    isOnce: booleanAt(container, "stdinOnce"),
    ended: (run) => endInput(target, run, source, config),
  };
}

function specOf({ pod, container }: ConnectedContainer): JsonObject {
  const lists = ["initContainers", "containers", "ephemeralContainers"];
  const all = lists.flatMap((list) => listAt(pod, "spec", list));
  return all.find(({ name }) => name === container) ?? {};
}

/** Lets the kubelet know that there is no more input for the run of a container, until the run has ended. */
function endInput(
  { pod, container }: ConnectedContainer,
  run: ContainerRun,
  source: LogSource,
  { podScripts, clock }: ServerOptions["config"],
): void {
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  const { restart: restarts } = run;
  if (restarts === undefined || hasEnded(source, run)) return;
  const life = inputEnd({ uid, container, restarts }, clock.now());
  const script = podScripts.script({ name, namespace, container }, life);
  const changes = new ChangeSignal(source.onChange, new AbortController().signal);
  const follow = async () => {
    while (!hasEnded(source, run)) await changes.next();
    changes.stop();
    script.remove();
  };
  void follow();
}
