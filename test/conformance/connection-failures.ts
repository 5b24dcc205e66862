import * as presets from "../../src/scenario/presets.ts";
import { type Failure, transports } from "./failure.ts";
import { bound, ofPieces, requesting, take, watchBegin, watching } from "./failure-encounters.ts";
import { configMaps } from "./failure-world.ts";

/** The failures of connections, as a client sees them through any transport. */
export const connectionFailures = {
  disconnected: {
    what: "clients are cut off while others write (`whileDisconnected`)",
    meet: async (world) => {
      const watch = await world.watch("resourceVersion=0");
      await take(watch, 3);
      const during: string[] = [];
      const work = async () => void during.push(await watch.next(), await world.ask(configMaps));
      await presets.whileDisconnected(world, work);
      return [...during, await world.ask(configMaps)];
    },
    expected: ["broken", "failed", "200 ConfigMapList"],
  },
  down: {
    what: "the server is down for a while",
    meet: async (world) => {
      const watch = await world.watch("resourceVersion=0");
      await take(watch, 3);
      const fault = world.inject(presets.down());
      const during = [await watch.next(), await world.ask(configMaps)];
      fault.remove();
      await world.create("late");
      const again = await world.watch("resourceVersion=0", configMaps, true);
      return [...during, await again.next()];
    },
    expected: ["broken", "failed", "ADDED a"],
    cells: { "HTTP/1.1": "closed port", "HTTP/2": "closed port" },
  },
  freeze: {
    what: "a half-open connection: nothing arrives, and nothing ends",
    meet: watching(() => presets.freeze({ afterEvents: 1 }), 1),
    expected: ["ADDED a", "silent"],
    cells: {
      "HTTP/1.1": "yes, the server reads nothing",
      "HTTP/2": "yes, and it answers no pings",
    },
  },
  goAway: {
    what: "the server asks the client to open another connection",
    meet: async (world) => {
      world.inject(presets.goAway());
      const watch = await world.watch("resourceVersion=0&timeoutSeconds=1");
      return [...(await take(watch, 4)), watch.isSentAway ? "sent away" : "not sent away"];
    },
    expected: [...watchBegin, "ended", "sent away"],
    faithful: "Faithful on a port; in process there is no connection, so clients see only the header.",
    cells: {
      ...Object.fromEntries(transports.map((transport) => [transport, "header"])),
      "HTTP/1.1": "`Connection: close`",
      "HTTP/2": "GOAWAY",
    },
  },
  latency: {
    what: "responses are late",
    meet: requesting(() => presets.latency({ milliseconds: 1 }), configMaps),
    expected: ["200 ConfigMapList", "200 ConfigMapList"],
  },
  pairEvents: {
    what: "two events arrive in one chunk",
    meet: (world) => ofPieces(bound(world), presets.pairEvents(), (text) => text.split("\n").length - 1),
    expected: ["2"],
  },
  reset: {
    what: "the connection is reset after some events or bytes",
    meet: async (world) => {
      world.inject(presets.reset({ afterEvents: 1 }));
      return take(await world.watch("resourceVersion=0"), 2);
    },
    expected: ["ADDED a", "broken"],
    faithful:
      "Faithful on every transport: a RST on a port, elsewhere the error that clients report for one.",
    cells: { "HTTP/1.1": "RST", "HTTP/2": "RST or RST_STREAM" },
  },
  slice: {
    what: "a response arrives in chunks of a few bytes",
    meet: (world) => ofPieces(bound(world), presets.slice(), ({ length }) => length),
    expected: ["1"],
  },
  truncate: {
    what: "a response ends in the middle without an error",
    meet: watching(() => presets.truncate({ afterEvents: 1 }), 1),
    expected: ["ADDED a", "ended within an event"],
  },
} satisfies { readonly [name: string]: Failure };
