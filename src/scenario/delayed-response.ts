import { turn } from "../apimachinery/clock.ts";
import { structAt } from "../apimachinery/fields.ts";
import type { LoggedRequest } from "./logged-request.ts";
import type { OpenWatch } from "./open-watches.ts";
import { type Scenario, type ScenarioOptions, type StruckServer, scenario } from "./scenario.ts";
import type { DecodedEvent, WatchFormat } from "./watch-format.ts";
import { splitFrames } from "./watch-frames.ts";

/**
 * The answer to a write comes after the event of it: the client that wrote has seen it on a watch of its own before
 * it hears that the write succeeded. Where the same user watches nothing that the event comes to, the answer is not
 * held. Faithful on every transport.
 */
export function delayUntilWatched(options: ScenarioOptions = {}): Scenario {
  return scenario(
    "delayUntilWatched",
    options,
    { verb: ["create", "update", "patch", "delete"] },
    async (server) => {
      const before = server.revision();
      const events = await Promise.all(watchesOf(server).map((watch) => eventOf(server, watch, before)));
      const answer = await server.answer();
      const isWritten = answer.status < 300 && server.revision() > before;
      if (isWritten && events.length > 0)
        await Promise.race([...events.map(({ came }) => came), left(server)]);
      for (const { stop } of events) stop();
      // What was handed over is on its way when this turn is over.
      await turn();
      return answer;
    },
  );
}

/** The watches of the same user that the event of a write may come to. */
function watchesOf({ request, watches }: StruckServer): readonly OpenWatch[] {
  const { group, resource, namespace, user } = request;
  return watches
    .matching({ group, resource, user })
    .filter((watch) => watch.request.namespace === "" || watch.request.namespace === namespace);
}

interface AwaitedEvent {
  /** Resolves when the client has been handed the event, or the watch ends. */
  readonly came: Promise<void>;
  readonly stop: () => void;
}

/** Looks out for the event from now on, before the write is made. */
async function eventOf(
  { request, watchFormat }: StruckServer,
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

/** Watches hand over whole events. */
function holdsEvent(piece: Uint8Array, format: WatchFormat, request: LoggedRequest, before: number): boolean {
  const { events } = splitFrames(piece, format);
  return events.some((event) => isAbout(format.decode(event), request, before));
}

/** Rows of a Table may not say whose they are, and an object that is created may not be named yet. */
function isAbout({ type, object }: DecodedEvent, request: LoggedRequest, before: number): boolean {
  const { name, resourceVersion } = structAt(object, "metadata");
  if (type === "BOOKMARK" || Number(resourceVersion) <= before) return false;
  return request.name === "" || name === undefined || name === request.name;
}

function left({ signal }: StruckServer): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
