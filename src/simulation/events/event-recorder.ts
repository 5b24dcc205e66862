import type { Clock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import type { ControllerClient } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import { createIfGone } from "./create-if-gone.ts";
import { type CorrelatedEvent, EventCorrelation } from "./event-correlation.ts";
import { EventNames } from "./event-names.ts";
import { objectReference } from "./object-reference.ts";
import type { EventSource, RecordedEvent } from "./recorded-event.ts";

/** The dependencies of a recorder. */
export interface EventRecorderOptions {
  readonly client: ControllerClient;
  readonly clock: Clock;
  readonly memory: ControllerMemory;
  readonly source: EventSource;
}

/**
 * Records Events as components do: the same event about the same object raises the count of the first one, and many
 * similar ones are combined (client-go, tools/record). A write that fails is given up, because no component waits for its Events.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #correlation: EventCorrelation;
  readonly #names: EventNames;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#correlation = options.memory.part("event-correlation", () => new EventCorrelation());
    this.#names = options.memory.part("event-names", () => new EventNames());
  }

  async record(object: KubeObject, event: RecordedEvent): Promise<void> {
    const { client, clock, source } = this.#options;
    const now = clock.now();
    const correlated = this.#correlation.observe(object, event, source, now, this.#names);
    if (correlated === undefined) return;
    const { name, message, count } = correlated;
    const create = () => client.create(manifestOf(object, { ...event, ...correlated }, source, now));
    const namespace = object.metadata.namespace ?? "default";
    const changes = { count, lastTimestamp: formatTime(now), message };
    const write =
      count === 1
        ? create()
        : client.patch("v1", "Event", name, changes, { namespace }).catch(createIfGone(create));
    await write.catch(() => {});
  }
}

function manifestOf(
  object: KubeObject,
  { type, reason, message, fieldPath, name, first, count }: RecordedEvent & CorrelatedEvent,
  source: EventSource,
  now: number,
): JsonObject {
  const { namespace = "" } = object.metadata;
  return {
    kind: "Event",
    apiVersion: "v1",
    metadata: { name, namespace: namespace || "default" },
    involvedObject: objectReference(object, fieldPath),
    reason,
    message,
    source: { ...source },
    firstTimestamp: formatTime(first),
    lastTimestamp: formatTime(now),
    count,
    type,
    reportingComponent: source.component,
    reportingInstance: source.host ?? "",
  };
}
