import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { RawApi } from "../contract/raw-api.ts";
import { EventRecorder } from "./event-recorder.ts";
import { type ActionEvent, SeriesRecorder, type SeriesRecorderOptions } from "./series-recorder.ts";
import { truncatedNote } from "./truncated-note.ts";

/** Records what a component did when something happened. */
export interface ActionRecorder {
  record(object: KubeObject, event: ActionEvent): Promise<void>;
}

/**
 * Records Events of the group events.k8s.io. If the cluster does not serve its version of the release, they are those of the core group, which have
 * neither an action nor a related object. Upstream: `NewEventBroadcasterAdapter` (client-go, tools/events/event_broadcaster.go).
 */
export function actionRecorder(
  options: SeriesRecorderOptions & { readonly api: Pick<RawApi, "resourcesOf"> },
): ActionRecorder {
  const { api, gates, controller, ...others } = options;
  let chosen: ActionRecorder | undefined;
  const choose = (): ActionRecorder => {
    const version = gates.since("1.19") ? "v1" : "v1beta1";
    const served = api.resourcesOf({ group: "events.k8s.io", kind: "Event" });
    if (served.some((resource) => resource.version === version)) return new SeriesRecorder(options);
    const recorder = new EventRecorder({ ...others, source: { component: controller } });
    return {
      record: (object, { type, reason, message }) =>
        recorder.record(object, { type, reason, message: truncatedNote(message) }),
    };
  };
  return {
    record: (object, event) => {
      chosen ??= choose();
      return chosen.record(object, event);
    },
  };
}
