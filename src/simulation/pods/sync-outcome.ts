import type { LifeScript } from "../contract/scripted-life.ts";
import type { RecordedEvent } from "../events/recorded-event.ts";
import { fieldPathOf } from "./container-messages.ts";
import type { MissingReference } from "./missing-references.ts";
import type { PodContainer, PodRuntime } from "./pod-runtime.ts";

/** What one sync of a pod has led to. */
export interface SyncResult {
  readonly runtime: PodRuntime;
  readonly outcome: SyncOutcome;
  readonly script: LifeScript | undefined;
}

/** What a sync of a pod leads to besides changes of its containers. */
export class SyncOutcome {
  /** Something happens at once, after the status of now was written. */
  isBrief = false;
  /** The kubelet writes a status. */
  isReported = true;
  /** What the pod waits for. */
  missing: MissingReference | undefined;
  readonly #events: RecordedEvent[] = [];
  #due: number | undefined;

  get events(): readonly RecordedEvent[] {
    return this.#events;
  }

  /** When something happens next, in milliseconds since the epoch. */
  get due(): number | undefined {
    return this.#due;
  }

  wakeAt(time: number): void {
    if (this.#due === undefined || time < this.#due) this.#due = time;
  }

  say(type: RecordedEvent["type"], reason: string, message: string): void {
    this.#events.push({ type, reason, message });
  }

  sayOf(container: PodContainer, type: RecordedEvent["type"], reason: string, message: string): void {
    this.#events.push({ type, reason, message, fieldPath: fieldPathOf(container) });
  }
}
