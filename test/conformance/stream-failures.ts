import * as presets from "../../src/scenario/presets.ts";
import { type Failure, transports } from "./failure.ts";
import { PodStreams, v4, v5 } from "./pod-stream.ts";

const onPort = {
  upgrades: true,
  faithful: "Faithful on a port with HTTP/1.1, where connections can change protocols.",
  cells: {
    ...Object.fromEntries(transports.map((transport) => [transport, "no upgrades"])),
    "HTTP/1.1": "yes",
  },
} as const;

/** A command that fails, and the same command again. */
function running(scenario: () => presets.Scenario, protocols: readonly string[] = [v5]): Failure["meet"] {
  return async ({ cluster }) => {
    const streams = await PodStreams.open(cluster);
    try {
      cluster.inject(scenario());
      return [...(await streams.run(protocols)), ...(await streams.run(protocols))];
    } finally {
      await streams.close();
    }
  };
}

const healthy = [v5, "1 hello", "1 bye", "3 Success", "closed 1000"];

/** The failures of streams to and from pods, as a client sees them. */
export const streamFailures = {
  closeStream: {
    ...onPort,
    what: "exec, attach or port-forward ends early, without a Status",
    meet: running(() => presets.closeStream({ afterMessages: 1 })),
    expected: [v5, "1 hello", "closed 1000", ...healthy],
  },
  freezeStream: {
    ...onPort,
    what: "a half-open exec, attach or port-forward: nothing arrives, and nothing ends",
    meet: async ({ cluster }) => {
      const streams = await PodStreams.open(cluster);
      try {
        cluster.inject(presets.freezeStream({ afterMessages: 1 }));
        return await streams.runSilent(1);
      } finally {
        await streams.close();
      }
    },
    expected: [v5, "1 hello", "silent"],
  },
  noV5: {
    ...onPort,
    what: "the server does not know the protocol v5 of exec and attach",
    meet: running(() => presets.noV5(), [v5, v4]),
    expected: [v4, ...healthy.slice(1), ...healthy],
  },
  outputAfterStatus: {
    ...onPort,
    what: "output of exec or attach arrives after the Status",
    meet: running(() => presets.outputAfterStatus()),
    expected: [v5, "1 hello", "3 Success", "1 bye", "closed 1000", ...healthy],
    faithful: "Faithful on a port with HTTP/1.1 for WebSockets; the streams of SPDY have no common order.",
    cells: { ...onPort.cells, "HTTP/1.1": "WebSockets" },
  },
  refuseUpgrade: {
    ...onPort,
    what: "400: a proxy has removed the headers of an upgrade",
    meet: running(() => presets.refuseUpgrade()),
    expected: ["closed 1006", ...healthy],
  },
  stallLog: {
    what: "a log that is followed stops in silence",
    meet: async (world) => {
      const { cluster } = world;
      const spec = { containers: [{ name: "c", image: "i" }] };
      await cluster.load([{ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec }]);
      cluster.pod("web").log("one\ntwo\n");
      world.inject(presets.stallLog({ afterLines: 1 }));
      const log = await world.watch("follow=true", "/api/v1/namespaces/default/pods/web/log");
      let text = "";
      while (!text.includes("\n")) text += Buffer.from((await log.piece()) ?? "").toString();
      const next = log.piece().then(() => "not silent");
      cluster.pod("web").log("three\n");
      await world.eventsHaveCome();
      return [text, await Promise.race([next, Promise.resolve("silent")])];
    },
    expected: ["one\n", "silent"],
  },
} satisfies { readonly [name: string]: Failure };
