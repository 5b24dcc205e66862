import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import type { ControlRoute } from "./control-route.ts";
import { snapshotList, snapshotSchema } from "./control-schemas.ts";
import type { ControlContext, ControlledCluster } from "./controlled-cluster.ts";
import { Numbered } from "./numbered.ts";

const mostSnapshots = 100;

interface Taken<Snapshot> {
  readonly snapshot: Snapshot;
  readonly takenAt: string;
}

/** Snapshots of the objects. */
export function snapshotRoutes<Snapshot>({ cluster }: ControlContext<Snapshot>): readonly ControlRoute[] {
  const snapshots = new Numbered<Taken<Snapshot>>("snapshot", mostSnapshots);
  const take = (): JsonObject => {
    snapshots.requireRoom();
    const takenAt = formatMicroTime(cluster.clock.now());
    return { id: snapshots.add({ snapshot: cluster.snapshot(), takenAt }), takenAt };
  };
  return [
    {
      method: "GET",
      path: "snapshots",
      operation: "listSnapshots",
      summary: "Lists the snapshots.",
      success: { status: 200, schema: snapshotList },
      run: () => ({ snapshots: [...snapshots.all].map(([id, { takenAt }]) => ({ id, takenAt })) }),
    },
    {
      method: "POST",
      path: "snapshots",
      operation: "takeSnapshot",
      summary: "Takes a snapshot of all objects.",
      success: { status: 201, schema: snapshotSchema },
      errors: { 409: "There are too many snapshots." },
      run: take,
    },
    restoreRoute(cluster, snapshots),
    {
      method: "DELETE",
      path: "snapshots/{id}",
      operation: "removeSnapshot",
      summary: "Forgets a snapshot.",
      success: { status: 204 },
      errors: { 404: "There is no such snapshot." },
      run: ({ id }) => {
        snapshots.remove(id);
        return undefined;
      },
    },
  ];
}

function restoreRoute<Snapshot>(
  cluster: ControlledCluster<Snapshot>,
  snapshots: Numbered<Taken<Snapshot>>,
): ControlRoute {
  return {
    method: "POST",
    path: "snapshots/{id}/restore",
    operation: "restoreSnapshot",
    summary: "Restores a snapshot, with its older resourceVersion. It can be restored again.",
    body: {
      properties: {
        watches: {
          type: "string",
          enum: ["end", "keep"],
          description: "Whether open watches end, or stay open and silent until new events. Default: end.",
        },
      },
    },
    success: { status: 204 },
    errors: { 404: "There is no such snapshot." },
    run: ({ id, body }) => {
      const watches = textAt(body, "watches") === "keep" ? "keep" : "end";
      cluster.restore(snapshots.get(id).snapshot, { watches });
      return undefined;
    },
  };
}
