import type { Clock } from "../../apimachinery/clock.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ControllerClient } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import { createIfGone } from "./create-if-gone.ts";
import { EventNames } from "./event-names.ts";
import { EventSeries } from "./event-series.ts";
import { objectReference } from "./object-reference.ts";
import type { RecordedEvent } from "./recorded-event.ts";

/** The dependencies of a recorder. */
export interface SeriesRecorderOptions {
  readonly client: ControllerClient;
  readonly clock: Clock;
  readonly memory: ControllerMemory;
  readonly gates: FeatureGates;
  /** The component that records. */
  readonly controller: string;
}

/** An event with what the component did when it happened. */
export interface ActionEvent extends Omit<RecordedEvent, "fieldPath"> {
  readonly action: string;
  /** The other object that the action was about. */
  readonly related?: KubeObject;
}

/** The host of the components of the control plane, the same as in the Lease of the first server. */
const host = "vm";
/** The most characters of a note. */
const longest = 1024;

/**
 * Records Events of the group events.k8s.io (client-go, tools/events), as of all components only kube-scheduler does: they have an
 * `eventTime`, but neither a count nor the times of others, and what is the same but for its note forms a series. A write that
 * fails is given up.
 */
export class SeriesRecorder {
  readonly #options: SeriesRecorderOptions;
  readonly #series: EventSeries;
  readonly #names: EventNames;

  constructor(options: SeriesRecorderOptions) {
    this.#options = options;
    this.#series = options.memory.part("event-series", () => new EventSeries());
    this.#names = options.memory.part("event-names", () => new EventNames());
  }

  async record(object: KubeObject, { type, reason, message, action, related }: ActionEvent): Promise<void> {
    const { client, clock, gates, controller } = this.#options;
    const now = clock.now();
    const { name: about = "", namespace = "", uid, resourceVersion } = object.metadata;
    const key = [type, action, reason, uid, resourceVersion, related?.metadata.uid].join("\n");
    const note = truncated(message);
    const written = this.#series.observe(key, note, now, () => this.#names.next(about, now));
    if (written === undefined) return;
    const { name, first, count } = written;
    const apiVersion = gates.since("1.19") ? "events.k8s.io/v1" : "events.k8s.io/v1beta1";
    const target = { namespace: namespace || "default" };
    const repeated = count > 1 && { series: { count, lastObservedTime: formatMicroTime(now) } };
    const create = () =>
      client.create({
        kind: "Event",
        apiVersion,
        metadata: { name, ...target },
        eventTime: formatMicroTime(first),
        ...repeated,
        reportingController: controller,
        reportingInstance: `${controller}-${host}`,
        action,
        reason,
        regarding: objectReference(object),
        ...(related !== undefined && { related: objectReference(related) }),
        note: written.note,
        type,
      });
    const write = repeated
      ? client.patch(apiVersion, "Event", name, repeated, target).catch(createIfGone(create))
      : create();
    await write.catch(() => {});
  }
}

/** Upstream: `truncateMessage` (pkg/scheduler/schedule_one.go). */
export function truncated(note: string): string {
  const end = " ...";
  return note.length <= longest ? note : note.slice(0, longest - end.length) + end;
}
