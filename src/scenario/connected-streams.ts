import { integerFrom } from "../apimachinery/option-types.ts";
import { ConnectionFailure } from "../request/connection-failure.ts";
import { channels } from "../streams/channels.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";
import { type Change, withMessages } from "./stream-messages.ts";
import { asksForWebSocket, connections, processes, streamsOfPods, upgradeOf } from "./upgrade-refusals.ts";
import { silence } from "./watch-frames.ts";

const cut = { ...streamsOfPods, options: { afterMessages: integerFrom(0) } };

/** The definitions of the failures in this file. */
export const connectedStreams: FailureDefinitions<"closeStream" | "freezeStream" | "outputAfterStatus"> = {
  closeStream: cut,
  freezeStream: cut,
  outputAfterStatus: streamsOfPods,
};

/** Where a stream is cut. */
export interface StreamCutOptions extends ScenarioOptions {
  /**
   * How many messages come before the cut: messages of a WebSocket, or frames of SPDY, that carry data, the Status of a process included.
   * Default: 0.
   */
  readonly afterMessages?: number;
}

/**
 * Ends the connection of exec, attach or port-forward early: in place of a later message, such as the Status of a process. A WebSocket
 * closes with 1000, as if all were well. Faithful on a port with HTTP/1.1, where connections can change protocols.
 */
export function closeStream(options: StreamCutOptions = {}): Scenario {
  const { afterMessages = 0 } = options;
  const end: Change = async function* (messages, { struck }) {
    let left = afterMessages;
    for await (const message of messages) {
      if (message.hasData && left === 0) {
        struck();
        return;
      }
      if (message.hasData) left -= 1;
      yield message.bytes;
    }
  };
  const need = upgradeOf(connections, "to WebSockets or SPDY");
  const awaited = `the fault waits for ${afterMessages + 1}`;
  const effect: Scenario["effect"] = (server) => withMessages(server, awaited, end);
  return scenario("closeStream", connectedStreams.closeStream, options, effect, { need });
}

/**
 * Leaves the connection of exec, attach or port-forward half-open: after some message nothing arrives, no pong either, and nothing ends.
 * The script of the test learns that its client has left. Faithful on a port with HTTP/1.1, where connections can change protocols.
 */
export function freezeStream(options: StreamCutOptions = {}): Scenario {
  const { afterMessages = 0 } = options;
  const freeze: Change = async function* (messages, { struck, signal }, carrier) {
    let left = afterMessages;
    while (left > 0) {
      const { value: message, done } = await messages.next();
      if (done) return;
      if (message.hasData) left -= 1;
      yield message.bytes;
    }
    struck();
    // The transport answers the pings of WebSockets; those of SPDY are part of the stream.
    if (carrier === "webSocket") throw new ConnectionFailure("frozen");
    yield* silence(signal);
  };
  const need = upgradeOf(connections, "to WebSockets or SPDY");
  const awaited = `the fault waits for ${afterMessages}`;
  const effect: Scenario["effect"] = (server) => withMessages(server, awaited, freeze);
  return scenario("freezeStream", connectedStreams.freezeStream, options, effect, { need });
}

/**
 * Sends the last message of a process's output after its Status. Each message of output waits for the next one or for the Status, so it
 * suits commands better than shells. Faithful on a port with HTTP/1.1 for WebSockets; the streams of SPDY have no common order.
 */
export function outputAfterStatus(options: ScenarioOptions = {}): Scenario {
  const reorder: Change = async function* (messages, { struck }) {
    let held: Uint8Array | undefined;
    for await (const { bytes, hasData, channel } of messages) {
      const isOutput = hasData && (channel === channels.stdout || channel === channels.stderr);
      if (isOutput) {
        if (held !== undefined) yield held;
        held = bytes;
        continue;
      }
      yield bytes;
      if (channel !== channels.error || !hasData || held === undefined) continue;
      struck();
      yield held;
      held = undefined;
    }
    if (held !== undefined) yield held;
  };
  const need = upgradeOf(processes, "to a WebSocket", asksForWebSocket);
  const awaited = "the fault waits for output and a Status after it";
  const effect: Scenario["effect"] = (server) => withMessages(server, awaited, reorder);
  return scenario("outputAfterStatus", connectedStreams.outputAfterStatus, options, effect, { need });
}
