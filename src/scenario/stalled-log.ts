import { integerFrom } from "../apimachinery/option-types.ts";
import { derivedBody, discardBody, isStreamed } from "../request/response-stream.ts";
import { counted } from "./awaited-events.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { type FaultContext, type Need, piecesOf, queryOf, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";
import { silence, withBody } from "./watch-frames.ts";

/** The definition of the failure in this file. */
export const stalledLogs: FailureDefinitions<"stallLog"> = {
  stallLog: {
    verbs: ["get"],
    scope: { verb: "get", resource: "pods", subresource: "log" },
    options: { afterLines: integerFrom(0) },
  },
};

/** When a log stalls. */
export interface StallLogOptions extends ScenarioOptions {
  /** How many lines come before the silence. Default: 0. */
  readonly afterLines?: number;
}

const need: Need = {
  text: "with follow in its query",
  reason: "it needs follow=true in its query",
  holds: (request) => /^(?:1|t|true)$/i.test(queryOf(request).get("follow") ?? ""),
};

/**
 * A log that a client follows stalls, as at the rotation of its file: no more lines arrive, and nothing ends. The connection is healthy,
 * unlike with `freeze`. Faithful on every transport.
 */
export function stallLog(options: StallLogOptions = {}): Scenario {
  const { afterLines = 0 } = options;
  const effect: Scenario["effect"] = async (server) => {
    const answer = await server.answer();
    if (!isStreamed(answer.body)) {
      server.missed("its answer is not a log");
      return answer;
    }
    let lines = 0;
    const reason = (state: string) =>
      `the log ${state} after ${counted(lines, "line")}; the fault waits for ${afterLines}`;
    server.waits(() => reason("is open"));
    const stalled = stalledAfter(piecesOf(answer.body), afterLines, server, (seen) => {
      lines = seen;
    });
    const release = () => {
      server.missed(reason("ended"));
      discardBody(answer.body);
    };
    return withBody(answer, derivedBody(stalled, release));
  };
  return scenario("stallLog", stalledLogs.stallLog, options, effect, { need });
}

/** The pieces up to the end of a line, then silence until the client leaves. */
async function* stalledAfter(
  pieces: AsyncGenerator<Uint8Array>,
  lines: number,
  { struck, signal }: FaultContext,
  report: (lines: number) => void,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  while (seen < lines) {
    const { value: piece, done } = await pieces.next();
    if (done) return;
    let end = 0;
    for (let at = piece.indexOf(newline); at >= 0 && seen < lines; at = piece.indexOf(newline, end)) {
      end = at + 1;
      seen += 1;
    }
    report(seen);
    yield seen < lines ? piece : piece.subarray(0, end);
  }
  struck();
  yield* silence(signal);
}

const newline = 0x0a;
