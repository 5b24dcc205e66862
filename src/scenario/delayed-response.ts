import { turn } from "../apimachinery/clock.ts";
import { structAt } from "../apimachinery/fields.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import type { LoggedRequest } from "./logged-request.ts";
import type { OpenWatch } from "./open-watches.ts";
import { type FaultContext, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";
import type { DecodedEvent, WatchFormat } from "./watch-format.ts";
import { splitFrames } from "./watch-frames.ts";

const writes = ["create", "update", "patch", "delete"];

/** The definition of the failure in this file. */
export const delayedResponses: FailureDefinitions<"delayUntilWatched"> = {
  delayUntilWatched: { verbs: writes, scope: { verb: writes } },
};

/**
 * Delays the answer to a write until after its watch event: the client sees the change on its own watch before it
 * learns that the write succeeded. If the same user has no watch that receives the event, the answer is not delayed.
 * Faithful on every transport.
 */
export function delayUntilWatched(options: ScenarioOptions = {}): Scenario {
  return scenario("delayUntilWatched", delayedResponses.delayUntilWatched, options, async (server) => {
    const before = server.revision();
    const events = await Promise.all(watchesOf(server).map((watch) => eventOf(server, watch, before)));
    const answer = await server.answer();
    if (server.revision() === before) server.missed("it needs to change an object");
    else if (events.length === 0)
      server.missed("it needs an open watch of the same user that receives the event");
    else {
      server.struck();
      await Promise.race([...events.map(({ came }) => came), left(server)]);
      // Data that was handed over is on its way to the client at the end of this turn.
      await turn();
    }
    for (const { stop } of events) stop();
    return answer;
  });
}

/** The watches of the same user that may receive the event of a write. */
function watchesOf({ request, watches }: FaultContext): readonly OpenWatch[] {
  const { group, resource, namespace, user } = request;
  return watches
    .matching({ group, resource, user })
    .filter((watch) => watch.request.namespace === "" || watch.request.namespace === namespace);
}

interface AwaitedEvent {
  /** Resolves when the client has received the event or the watch ends. */
  readonly came: Promise<void>;
  readonly stop: () => void;
}

/** Starts to look for the event; called before the write. */
async function eventOf(
  { request, watchFormat }: FaultContext,
  watch: OpenWatch,
  before: number,
): Promise<AwaitedEvent> {
  const format = await watchFormat(watch.contentType);
  let stop = (): void => {};
  const came = new Promise<void>((resolve) => {
    stop = watch.observe((piece) => {
      if (piece === undefined || holdsEvent(piece, format, request, before)) resolve();
    });
  });
  return { came, stop };
}

/** Watches deliver whole events. */
function holdsEvent(piece: Uint8Array, format: WatchFormat, request: LoggedRequest, before: number): boolean {
  const { events } = splitFrames(piece, format);
  return events.some((event) => isAbout(format.decode(event), request, before));
}

/** A Table row may lack its object, and a created object may not have its name yet. */
function isAbout({ type, object }: DecodedEvent, request: LoggedRequest, before: number): boolean {
  const { name, resourceVersion } = structAt(object, "metadata");
  if (type === "BOOKMARK" || Number(resourceVersion) <= before) return false;
  return request.name === "" || name === undefined || name === request.name;
}

function left({ signal }: FaultContext): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
