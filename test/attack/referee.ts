import type { Cluster, ObjectWatch } from "../../src/index.ts";
import type { HistoryEvent } from "./history.ts";
import { versionOf } from "./recorder.ts";

/** What `versionOf` reads. */
type Stored = Parameters<typeof versionOf>[0];

/** The events of the ConfigMaps in the namespace `default`, as a watch delivers them that no fault affects. */
export class Referee {
  readonly start: number;
  readonly events: HistoryEvent[] = [];
  readonly #watch: ObjectWatch<object>;
  #wake = (): void => {};

  private constructor(start: number, watch: ObjectWatch<object>) {
    this.start = start;
    this.#watch = watch;
    void this.#read();
  }

  static async open(cluster: Cluster): Promise<Referee> {
    const namespace = "default";
    const list = await cluster.list("v1", "ConfigMap", { namespace });
    const resourceVersion = String(list.metadata["resourceVersion"]);
    return new Referee(
      Number(resourceVersion),
      cluster.watch<object>("v1", "ConfigMap", { namespace, resourceVersion }),
    );
  }

  /** Resolves when an event of this type and object has come. */
  async seen(type: HistoryEvent["type"], key: string): Promise<void> {
    while (!this.events.some((event) => event.type === type && event.key === key)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async close(): Promise<void> {
    await this.#watch.return();
  }

  async #read(): Promise<void> {
    for await (const { type, object } of this.#watch) {
      // A ConfigMap, whose data are those of the recorder.
      const stored = object as Stored;
      this.events.push({ type, key: stored.metadata.name, version: versionOf(stored) });
      this.#wake();
    }
  }
}
