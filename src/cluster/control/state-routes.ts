import { parseDurationMilliseconds } from "../../apimachinery/duration.ts";
import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import { ControlError, checked } from "./control-error.ts";
import type { ControlRoute } from "./control-route.ts";
import { clockSchema } from "./control-schemas.ts";
import type { ControlContext } from "./controlled-cluster.ts";

/** The clock of the cluster. */
export function clockRoutes<Snapshot>({ cluster }: ControlContext<Snapshot>): readonly ControlRoute[] {
  const now = (): JsonObject => ({ now: formatMicroTime(cluster.clock.now()) });
  return [
    {
      method: "GET",
      path: "clock",
      operation: "readClock",
      summary: "Shows the time of the cluster.",
      success: { status: 200, schema: clockSchema },
      run: now,
    },
    {
      method: "POST",
      path: "clock",
      operation: "advanceClock",
      summary: "Advances the time: whatever falls due happens before the response.",
      body: {
        properties: { advance: { type: "string", description: 'A duration such as "5m".' } },
        required: ["advance"],
      },
      success: { status: 200, schema: clockSchema },
      run: async ({ body }) => {
        await cluster.clock.advance(durationOf(textAt(body, "advance")));
        return now();
      },
    },
  ];
}

function durationOf(text: string): number {
  const milliseconds = checked(400, () => parseDurationMilliseconds(text));
  if (milliseconds > 0) return milliseconds;
  throw new ControlError(400, `advance must be a duration greater than 0, not ${JSON.stringify(text)}`);
}

/** History, snapshots and the way back to the first state. `clear` ends the faults. */
export function stateRoutes<Snapshot>(
  { cluster, opened }: ControlContext<Snapshot>,
  clear: () => void,
): readonly ControlRoute[] {
  return [
    {
      method: "POST",
      path: "compact",
      operation: "compact",
      summary: "Compacts history: every older resourceVersion answers 410 from now on.",
      success: { status: 204 },
      run: () => {
        cluster.compact();
        return undefined;
      },
    },
    {
      method: "POST",
      path: "reset",
      operation: "reset",
      summary:
        "Goes back to the objects that the cluster had when its port was opened, ends all faults and clears the log of requests. Open watches end. The time, the release, snapshots and forks stay.",
      success: { status: 204 },
      run: () => {
        clear();
        cluster.restore(opened(), {});
        cluster.log.clear();
        return undefined;
      },
    },
  ];
}
